import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { DocumentedEndpoint } from './documented-endpoint.ts';

const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "worker-src 'self' blob:",
].join('; ');

const method = ['GET', 'HEAD'];

/** The documents are large and rarely requested, so their modules are loaded on the first request. */
export function registerDocs(app: FastifyInstance, version: string, endpoints: readonly DocumentedEndpoint[]): void {
  let document: Promise<string> | undefined;
  app.route({
    method,
    url: '/openapi.json',
    handler: async (_request, reply) => {
      document ??= writeOpenApi(version, endpoints);
      return reply.type('application/json; charset=utf-8').send(await document);
    },
  });

  let site: Promise<FastifyInstance> | undefined;
  const showPage = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    site ??= buildSite();
    const page = await site;
    reply.hijack();
    const headers = { ...reply.getHeaders(), 'content-security-policy': CONTENT_SECURITY_POLICY };
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) reply.raw.setHeader(name, value);
    page.routing(request.raw, reply.raw);
  };
  app.route({ method, url: '/docs', handler: showPage });
  app.route({ method, url: '/docs/*', handler: showPage });
  app.addHook('onClose', async () => {
    await (await site)?.close();
  });
}

async function writeOpenApi(version: string, endpoints: readonly DocumentedEndpoint[]): Promise<string> {
  const { buildOpenApi } = await import('./openapi.ts');
  return JSON.stringify(buildOpenApi(version, endpoints));
}

/** A separate server for the page's routes, because a listening server accepts no new routes. */
async function buildSite(): Promise<FastifyInstance> {
  const { default: apiReference } = await import('@scalar/fastify-api-reference');
  const site = Fastify({ logger: false });
  await site.register(apiReference, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      title: 'Sluice',
      pageTitle: 'Sluice API reference',
      withDefaultFonts: false,
      telemetry: false,
      // These extras send the document to Scalar's servers, which the policy above forbids.
      agent: { disabled: true },
      mcp: { disabled: true },
      hideClientButton: true,
      // Its heading would be the same as the tag of the model lists.
      hideModels: true,
      showDeveloperTools: 'never',
    },
  });
  await site.ready();
  return site;
}
