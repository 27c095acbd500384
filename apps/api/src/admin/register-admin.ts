import type { FastifyInstance } from 'fastify';
import { noteTarget } from '../audit/record-changes.ts';
import { createAdminCheck } from '../auth/admin-key.ts';
import type { AdminDeps } from './admin-deps.ts';
import type { AdminEndpoint } from './admin-endpoint.ts';

export interface AdminOptions {
  /** If omitted, only sessions of single sign-on have access. */
  adminKey: string | undefined;
  endpoints: readonly AdminEndpoint[];
  /** Returns what the endpoints need of the configuration in force. */
  deps: () => AdminDeps;
}

const ADMIN_KEY = { actor: { type: 'admin_key', name: 'admin' }, role: 'admin' } as const;

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
        config: {
          encodeError: endpoint.protocol.encodeError,
          ...(endpoint.method !== 'GET' && { audit: endpoint.operationId }),
        },
        onRequest: (request, _reply, done) => {
          checkAdmin(request, role);
          request.audited = { by: ADMIN_KEY };
          done();
        },
        handler: async (request, reply) => {
          // The cast is safe because admin routes have no wildcards.
          const params = request.params as Record<string, string>;
          const response = await endpoint.serve(deps(), { params, query: request.query, body: request.body });
          noteTarget(request, response);
          return reply.code(endpoint.status).send(response);
        },
      });
    }
  });
}
