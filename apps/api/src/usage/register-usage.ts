import { GatewayError } from '@sluice/canonical';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type AcceptedKeys, acceptKeys } from '../auth/accept-keys.ts';
import type { UsageDeps, UsageEndpoint } from './usage-endpoint.ts';

export interface UsageOptions extends AcceptedKeys {
  endpoints: readonly UsageEndpoint[];
  deps: UsageDeps;
}

export async function registerUsage(app: FastifyInstance, { endpoints, deps, ...keys }: UsageOptions): Promise<void> {
  await app.register(async (scope) => {
    acceptKeys(scope, keys);
    for (const endpoint of endpoints) {
      scope.route({
        method: ['GET', 'HEAD'],
        url: endpoint.path,
        config: { protocol: endpoint.protocol.name, encodeError: endpoint.protocol.encodeError },
        handler: (request, reply) => serve(endpoint, deps, request, reply),
      });
    }
  });
}

async function serve(
  endpoint: UsageEndpoint,
  deps: UsageDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { headers, apiKey } = request;
  // The cast is safe because the router parses the query into an object.
  const query = withoutBrackets(request.query as Record<string, unknown>);
  const { body, mediaType, next } = await endpoint.serve(deps, {
    owner: apiKey?.name,
    // The cast is safe because these routes have no wildcards.
    params: request.params as Record<string, string>,
    query,
    accept: headers.accept ?? '',
  });
  if (next) void reply.header('link', `<${nextUrl(request, next)}>; rel="next"`);
  if (mediaType !== undefined) void reply.type(mediaType);
  return reply.send(body);
}

/** OpenAI's SDKs send `group_by[]=model&group_by[]=user_id`. */
function withoutBrackets(query: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const plain = new Map<string, unknown>();
  for (const [name, value] of Object.entries(query)) {
    const param = name.replace(/\[\]$/, '');
    if (plain.has(param)) {
      throw new GatewayError('invalid_request', `${param} must be sent with brackets or without them, not both.`, {
        param,
      });
    }
    // OpenAI's SDKs send a single value with brackets, too.
    plain.set(param, name === param ? value : [value].flat());
  }
  return Object.fromEntries(plain);
}

/** A relative reference, because a proxy can change the path. */
function nextUrl({ url }: FastifyRequest, [parameter, value]: readonly [string, string]): string {
  const params = new URLSearchParams(url.split('?', 2)[1] ?? '');
  params.set(parameter, value);
  return `?${params.toString()}`;
}
