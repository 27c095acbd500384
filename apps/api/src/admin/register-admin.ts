import type { FastifyInstance } from 'fastify';
import { createAdminCheck } from '../auth/admin-key.ts';
import type { AdminDeps } from './admin-deps.ts';
import type { AdminEndpoint } from './admin-endpoint.ts';

export interface AdminOptions {
  adminKey: string;
  endpoints: readonly AdminEndpoint[];
  deps: AdminDeps;
}

/** Maximum body size, large enough for a key with a long list of models. */
const BODY_BYTES = 1024 * 1024;

/** Registers the admin API. Its routes require the admin key, accept only JSON bodies, and disable caching. */
export async function registerAdmin(app: FastifyInstance, { adminKey, endpoints, deps }: AdminOptions): Promise<void> {
  const checkAdmin = createAdminCheck(adminKey);
  await app.register(async (scope) => {
    scope.removeContentTypeParser('multipart/form-data');
    scope.addHook('onRequest', (_request, reply, done) => {
      void reply.header('cache-control', 'no-store');
      done();
    });
    for (const endpoint of endpoints) {
      const { role = endpoint.method === 'GET' ? 'viewer' : 'admin' } = endpoint;
      scope.route({
        method: endpoint.method === 'GET' ? ['GET', 'HEAD'] : endpoint.method,
        url: endpoint.path,
        bodyLimit: BODY_BYTES,
        config: { encodeError: endpoint.protocol.encodeError },
        onRequest: (request, _reply, done) => {
          checkAdmin(request, role);
          done();
        },
        handler: async (request, reply) => {
          // The cast is safe because admin routes have no wildcards.
          const params = request.params as Record<string, string>;
          const response = await endpoint.serve(deps, { params, query: request.query, body: request.body });
          return reply.code(endpoint.status).send(response);
        },
      });
    }
  });
}
