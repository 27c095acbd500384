import { GatewayError } from '@sluice/canonical';
import {
  type DirectEndpoint,
  type Endpoint,
  type EncodeError,
  ENDPOINTS,
  type ImageEndpoint,
  readOfferedProtocols,
  type RealtimeEndpoint,
  type TextEndpoint,
  type VideoEndpoint,
  type WebhookEndpoint,
} from '@sluice/protocols';
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { ApiKey, FindApiKey } from '../auth/api-keys.ts';
import { serveDirectCall } from '../direct/serve-direct.ts';
import { serveImage } from '../media/images.ts';
import { serveRealtime } from '../realtime/serve-realtime.ts';
import { serveTextCall } from '../text/generate-text.ts';
import { serveVideo } from '../media/videos.ts';
import { serveWebhook } from '../webhooks/serve-webhooks.ts';
import type { DirectDeps } from '../direct/direct-services.ts';
import { downloadFile } from '../media/download-file.ts';
import type { MediaDeps } from '../media/media-services.ts';
import type { RealtimeDeps } from '../realtime/realtime-services.ts';
import type { GenerationDeps } from '../generation/text-services.ts';
import type { WebhookDeps } from '../webhooks/webhook-services.ts';
import { authenticate } from '../auth/authenticate.ts';
import type { StatusOfError } from '../http/send-error.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is calling; set on every endpoint of a protocol before the body is read. */
    apiKey: ApiKey | undefined;
  }
  interface FastifyContextConfig {
    /** The protocol's error shape, for everything that goes wrong on this route. */
    encodeError?: EncodeError;
    /** The HTTP status of an error, where the protocol has its own. */
    statusOfError?: StatusOfError;
  }
}

/** What the capabilities work with. */
export interface Rooms {
  media: MediaDeps;
  text: GenerationDeps;
  direct: DirectDeps;
  realtime: RealtimeDeps;
  webhooks: WebhookDeps;
}

/** Registers every endpoint of every client protocol. */
export async function registerEndpoints(app: FastifyInstance, findApiKey: FindApiKey, rooms: Rooms): Promise<void> {
  app.decorateRequest('apiKey', undefined);
  app.decorateRequest('fare', undefined);
  const authenticateFirst: onRequestHookHandler = (request, _reply, done) => {
    request.apiKey = authenticate(request, findApiKey);
    done();
  };

  // For bodies, which may have taken minutes: a key that was revoked meanwhile asks nothing, and old limits do not count.
  const callerNow = (request: FastifyRequest): ApiKey => authenticate(request, findApiKey);

  const { media } = rooms;
  // A signed link to a file is a credential of its own.
  const authenticateUnlessLinked: onRequestHookHandler = (request, reply, done) => {
    if (media.links.isValid(request)) return done();
    if (media.links.isOver(request)) {
      const what = 'The link to this file has ended, or was changed. Retrieve the task again for a new one.';
      return done(new GatewayError('invalid_link', what));
    }
    authenticateFirst.call(app, request, reply, done);
  };
  for (const [key, endpoints] of Map.groupBy(ENDPOINTS.filter(isMedia), routeKey)) {
    const [first] = endpoints;
    if (!first) throw new Error(`${key} has endpoints`);
    const isContent = first.action === 'video.content' || first.action === 'image.content';
    app.route({
      ...routeOf(first),
      onRequest: isContent ? authenticateUnlessLinked : authenticateFirst,
      handler: async (request, reply) => {
        const endpoint = selectedOf(endpoints, request);
        endpoint.protocol.checkQuery?.(request.query);
        if (isContent && !request.apiKey) {
          return downloadFile(media, { kind: isVideo(endpoint) ? 'video' : 'image', request, reply });
        }
        const call = { apiKey: callerOf(request), request, reply };
        return isVideo(endpoint) ? serveVideo(media, { endpoint, ...call }) : serveImage(media, { endpoint, ...call });
      },
    });
  }

  // Forms are read piece by piece, by whoever serves them.
  for (const endpoint of ENDPOINTS.filter(isInline).filter(isForm)) {
    app.route({
      ...routeOf(endpoint),
      onRequest: authenticateFirst,
      handler: async (request, reply) =>
        serveDirectCall(rooms.direct, { endpoint, apiKey: callerOf(request), request, reply }),
    });
  }

  for (const endpoint of ENDPOINTS.filter(isRealtime)) {
    app.route({
      ...routeOf(endpoint),
      onRequest: (request, _reply, done) => {
        const { key } = readOfferedProtocols(request.headers['sec-websocket-protocol']);
        request.apiKey = authenticate(request, findApiKey, key);
        done();
      },
      handler: (request, reply) => serveRealtime(rooms.realtime, { apiKey: callerOf(request), request, reply }),
    });
  }

  for (const endpoint of ENDPOINTS.filter(isWebhook)) {
    app.route({
      ...routeOf(endpoint),
      onRequest: authenticateFirst,
      handler: async (request, reply) =>
        serveWebhook(rooms.webhooks, { endpoint, apiKey: callerNow(request), request, reply }),
    });
  }

  // A scope of its own: these bodies stay bytes, because most of text are passed on as they are.
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    for (const [key, endpoints] of Map.groupBy(
      ENDPOINTS.filter(isInline).filter((endpoint) => !isForm(endpoint)),
      routeKey,
    )) {
      const [first] = endpoints;
      if (!first) throw new Error(`${key} has endpoints`);
      scope.route({
        ...routeOf(first),
        onRequest: authenticateFirst,
        handler: async (request, reply) => {
          const endpoint = endpointOf(endpoints, request);
          const call = { apiKey: callerNow(request), request, reply };
          return isDirect(endpoint)
            ? serveDirectCall(rooms.direct, { endpoint, ...call })
            : serveTextCall(rooms.text, { endpoint, ...call });
        },
      });
    }
  });
}

function isVideo(endpoint: Endpoint): endpoint is VideoEndpoint {
  return endpoint.action.startsWith('video.');
}

function isMedia(endpoint: Endpoint): endpoint is VideoEndpoint | ImageEndpoint {
  return isVideo(endpoint) || endpoint.action.startsWith('image.');
}

function isRealtime(endpoint: Endpoint): endpoint is RealtimeEndpoint {
  return endpoint.action === 'realtime.connect';
}

function isWebhook(endpoint: Endpoint): endpoint is WebhookEndpoint {
  return endpoint.action.startsWith('webhook.');
}

function isInline(endpoint: Endpoint): endpoint is TextEndpoint | DirectEndpoint {
  return !isMedia(endpoint) && !isRealtime(endpoint) && !isWebhook(endpoint);
}

/** Whether a route takes a form alone. */
function isForm(endpoint: TextEndpoint | DirectEndpoint): endpoint is DirectEndpoint {
  return isDirect(endpoint) && endpoint.body !== undefined && 'multipart/form-data' in endpoint.body.content;
}

function isDirect(endpoint: TextEndpoint | DirectEndpoint): endpoint is DirectEndpoint {
  return 'kind' in endpoint;
}

/** Endpoints that differ by their verb, or by a query parameter, alone are one route. */
function routeKey({ method, path }: Endpoint): string {
  return `${method} ${path}`;
}

function routeOf({ method, path, protocol }: Endpoint) {
  return {
    method: method === 'GET' ? ['GET', 'HEAD'] : method,
    // The router calls every wildcard `*`.
    url: path.replace(/\*\w+$/, '*'),
    config: {
      encodeError: protocol.encodeError,
      ...('statusOfError' in protocol && protocol.statusOfError && { statusOfError: protocol.statusOfError }),
    },
  };
}

/** @throws GatewayError `not_found` for a verb that does not exist */
function endpointOf<E extends Endpoint>(endpoints: readonly E[], request: FastifyRequest): E {
  const [first] = endpoints;
  if (first && first.verb === undefined) return first;
  const wildcard = (request.params as { '*'?: string })['*'] ?? ''; // these routes end in one
  const verb = wildcard.slice(wildcard.lastIndexOf(':') + 1);
  const found = endpoints.find((endpoint) => endpoint.verb === verb);
  if (found) return found;
  const verbs = endpoints.map((endpoint) => `:${endpoint.verb}`).join(', ');
  throw new GatewayError('not_found', `Models take ${verbs} at the end of their path.`);
}

/** @throws GatewayError `invalid_request` for a value of the parameter that does not exist */
function selectedOf<E extends Endpoint>(endpoints: readonly E[], { query }: FastifyRequest): E {
  const [first] = endpoints;
  if (first && !first.select) return first;
  const given = (query as Record<string, unknown>)[first?.select?.parameter ?? '']; // all that a query can hold
  const found = endpoints.find(({ select }) => select?.value === given);
  if (found) return found;
  const values = endpoints.map(({ select }) => select?.value).join(' or ');
  throw new GatewayError('invalid_request', `The query parameter ${first?.select?.parameter} must be ${values}.`, {
    ...(first?.select && { param: first.select.parameter }),
  });
}

function callerOf({ apiKey }: FastifyRequest): ApiKey {
  if (apiKey) return apiKey;
  throw new GatewayError('invalid_api_key', 'No API key was sent.');
}

/** What is known of an endpoint, whoever serves it, before a request is routed. */
export interface ServedPath {
  method: string;
  path: string;
  verb?: string;
  protocol: { encodeError: EncodeError };
}

/** The methods that a path takes; none when there is no such path. */
export function methodsOf(path: string, endpoints: readonly ServedPath[] = ENDPOINTS): string[] {
  const methods = endpointsAt(path, endpoints).flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return [...new Set(methods)];
}

/** How a path's protocol spells errors, whatever the method; undefined when there is no such path. */
export function errorShapeOf(path: string, endpoints: readonly ServedPath[] = ENDPOINTS): EncodeError | undefined {
  const there = endpointsAt(path, endpoints);
  // A verb says more than the list of models that has the same path.
  return (there.find((endpoint) => endpoint.verb !== undefined) ?? there[0])?.protocol.encodeError;
}

function endpointsAt(path: string, endpoints: readonly ServedPath[]): ServedPath[] {
  return endpoints.filter((endpoint) => pathPattern(endpoint).test(path));
}

function pathPattern({ path, verb }: ServedPath): RegExp {
  const pattern = path.replaceAll(/:\w+/g, '[^/]+').replace(/\*\w+$/, verb === undefined ? '.+' : `.+:${verb}`);
  return new RegExp(`^${pattern}$`);
}
