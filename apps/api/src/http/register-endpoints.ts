import { GatewayError } from '@sluice/canonical';
import { type Endpoint, type EncodeError, ENDPOINTS, type VideoEndpoint } from '@sluice/protocols';
import type { FastifyInstance } from 'fastify';
import type { ApiKey, FindApiKey } from '../access/api-keys.ts';
import { serveVideo, type VideoRoom } from '../capabilities/video.ts';
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

/** Registers every endpoint of every client protocol. */
export function registerEndpoints(app: FastifyInstance, findApiKey: FindApiKey, room: VideoRoom): void {
  app.decorateRequest('apiKey', undefined);
  for (const endpoint of ENDPOINTS.filter((one): one is VideoEndpoint => one.action.startsWith('video.'))) {
    app.route({
      method: endpoint.method === 'GET' ? ['GET', 'HEAD'] : endpoint.method,
      url: endpoint.path,
      config: { encodeError: endpoint.protocol.encodeError },
      onRequest: async (request) => {
        request.apiKey = authenticate(request, findApiKey);
      },
      handler: async (request, reply) => {
        if (!request.apiKey) throw new GatewayError('invalid_api_key', 'No API key was sent.');
        return serveVideo(room, { endpoint, apiKey: request.apiKey, request, reply });
      },
    });
  }
}

/** The methods that a path takes; none when there is no such path. */
export function methodsOf(path: string, endpoints: readonly Endpoint[] = ENDPOINTS): string[] {
  return endpoints
    .filter((endpoint) => new RegExp(`^${endpoint.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(path))
    .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
}
