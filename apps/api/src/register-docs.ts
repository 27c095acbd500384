import apiReference from '@scalar/fastify-api-reference';
import { ENDPOINTS } from '@sluice/protocols';
import type { FastifyInstance } from 'fastify';
import { buildOpenApi } from './openapi.ts';

/** The page talks to nobody but this gateway, whatever its script would like. */
const NOTHING_FOREIGN = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "worker-src 'self' blob:",
].join('; ');

/** Registers `/openapi.json`, and `/docs`, a page that shows it; its script is served from here too. */
export async function registerDocs(app: FastifyInstance, version: string): Promise<void> {
  const openApi = JSON.stringify(buildOpenApi(version, ENDPOINTS));
  app.route({
    method: ['GET', 'HEAD'],
    url: '/openapi.json',
    handler: (_request, reply) => reply.type('application/json; charset=utf-8').send(openApi),
  });
  await app.register(async (docs) => {
    docs.addHook('onRequest', async (_request, reply) => {
      void reply.header('content-security-policy', NOTHING_FOREIGN);
    });
    await docs.register(apiReference, {
      routePrefix: '/docs',
      configuration: { url: '/openapi.json', withDefaultFonts: false, telemetry: false, title: 'Sluice' },
    });
  });
}
