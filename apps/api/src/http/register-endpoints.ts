import { GatewayError } from '@sluice/canonical';
import { type Endpoint, type EncodeError, ENDPOINTS, type TextEndpoint, type VideoEndpoint } from '@sluice/protocols';
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { ApiKey, FindApiKey } from '../access/api-keys.ts';
import { serveTextCall } from '../capabilities/text.ts';
import { serveVideo, type VideoRoom } from '../capabilities/video.ts';
import type { TextRoom } from '../text/text-room.ts';
import { authenticate } from './authenticate.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is calling; set on every endpoint of a protocol before the body is read. */
    apiKey: ApiKey | undefined;
  }
  interface FastifyContextConfig {
    /** The protocol's error shape, for everything that goes wrong on this route. */
    encodeError?: EncodeError;
  }
}

/** What the capabilities work with. */
export interface Rooms {
  video: VideoRoom;
  text: TextRoom;
}

/** Registers every endpoint of every client protocol. */
export async function registerEndpoints(app: FastifyInstance, findApiKey: FindApiKey, rooms: Rooms): Promise<void> {
  app.decorateRequest('apiKey', undefined);
  const authenticateFirst: onRequestHookHandler = (request, _reply, done) => {
    request.apiKey = authenticate(request, findApiKey);
    done();
  };

  for (const endpoint of ENDPOINTS) {
    if (!isVideo(endpoint)) continue;
    app.route({
      ...routeOf(endpoint),
      onRequest: authenticateFirst,
      handler: async (request, reply) =>
        serveVideo(rooms.video, { endpoint, apiKey: callerOf(request), request, reply }),
    });
  }

  // A scope of its own: text bodies stay bytes, because most are passed on as they are.
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    for (const [key, endpoints] of Map.groupBy(ENDPOINTS.filter(isText), routeKey)) {
      const [first] = endpoints;
      if (!first) throw new Error(`${key} has endpoints`);
      scope.route({
        ...routeOf(first),
        onRequest: authenticateFirst,
        handler: async (request, reply) => {
          const endpoint = endpointOf(endpoints, request);
          return serveTextCall(rooms.text, { endpoint, apiKey: callerOf(request), request, reply });
        },
      });
    }
  });
}

function isVideo(endpoint: Endpoint): endpoint is VideoEndpoint {
  return endpoint.action.startsWith('video.');
}

function isText(endpoint: Endpoint): endpoint is TextEndpoint {
  return !isVideo(endpoint);
}

/** Endpoints that differ by their verb alone are one route. */
function routeKey({ method, path }: Endpoint): string {
  return `${method} ${path}`;
}

function routeOf({ method, path, protocol }: Endpoint) {
  return {
    method: method === 'GET' ? ['GET', 'HEAD'] : method,
    // The router calls every wildcard `*`.
    url: path.replace(/\*\w+$/, '*'),
    config: { encodeError: protocol.encodeError },
  };
}

/** @throws GatewayError `not_found` for a verb that does not exist */
function endpointOf(endpoints: readonly TextEndpoint[], request: FastifyRequest): TextEndpoint {
  const [first] = endpoints;
  if (first && first.verb === undefined) return first;
  const wildcard = (request.params as { '*'?: string })['*'] ?? ''; // these routes end in one
  const verb = wildcard.slice(wildcard.lastIndexOf(':') + 1);
  const found = endpoints.find((endpoint) => endpoint.verb === verb);
  if (found) return found;
  const verbs = endpoints.map((endpoint) => `:${endpoint.verb}`).join(', ');
  throw new GatewayError('not_found', `Models take ${verbs} at the end of their path.`);
}

function callerOf({ apiKey }: FastifyRequest): ApiKey {
  if (apiKey) return apiKey;
  throw new GatewayError('invalid_api_key', 'No API key was sent.');
}

/** The methods that a path takes; none when there is no such path. */
export function methodsOf(path: string, endpoints: readonly Endpoint[] = ENDPOINTS): string[] {
  const methods = endpointsAt(path, endpoints).flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return [...new Set(methods)];
}

/** How a path's protocol spells errors, whatever the method; undefined when there is no such path. */
export function errorShapeOf(path: string, endpoints: readonly Endpoint[] = ENDPOINTS): EncodeError | undefined {
  const there = endpointsAt(path, endpoints);
  // A verb says more than the list of models that has the same path.
  return (there.find((endpoint) => endpoint.verb !== undefined) ?? there[0])?.protocol.encodeError;
}

function endpointsAt(path: string, endpoints: readonly Endpoint[]): Endpoint[] {
  return endpoints.filter((endpoint) => pathPattern(endpoint).test(path));
}

function pathPattern({ path, verb }: Endpoint): RegExp {
  const pattern = path.replaceAll(/:\w+/g, '[^/]+').replace(/\*\w+$/, verb === undefined ? '.+' : `.+:${verb}`);
  return new RegExp(`^${pattern}$`);
}
