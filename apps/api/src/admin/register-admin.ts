import type { FastifyInstance } from 'fastify';
import { createAdminCheck } from '../auth/admin-key.ts';
import type { AdminDeps } from './admin-deps.ts';
import type { AdminEndpoint } from './admin-endpoint.ts';

export interface AdminOptions {
  adminKey: string;
  endpoints: readonly AdminEndpoint[];
  deps: AdminDeps;
}

/** Enough for a key with a long list of models. */
const BODY_BYTES = 1024 * 1024;

/** Registers the admin API: behind the admin key, with JSON bodies only and responses that are not cached. */
export async function registerAdmin(app: FastifyInstance, { adminKey, endpoints, deps }: AdminOptions): Promise<void> {
  const checkAdmin = createAdminCheck(adminKey);
  await app.register(async (scope) => {
    scope.removeContentTypeParser('multipart/form-data');
    scope.addHook('onRequest', (request, reply, done) => {
      void reply.header('cache-control', 'no-store');
      checkAdmin(request);
      done();
    });
    for (const endpoint of endpoints) {
      scope.route({
        method: endpoint.method === 'GET' ? ['GET', 'HEAD'] : endpoint.method,
        url: endpoint.path,
        bodyLimit: BODY_BYTES,
        config: { encodeError: endpoint.protocol.encodeError },
        handler: async (request, reply) => {
          const params = request.params as Record<string, string>; // a route without wildcards
          const response = await endpoint.serve(deps, { params, query: request.query, body: request.body });
          return reply.code(endpoint.status).send(response);
        },
      });
    }
  });
}
