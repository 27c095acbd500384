import { createHash, timingSafeEqual } from 'node:crypto';
import { GatewayError } from '@sluice/canonical';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AdminEndpoint } from './admin-endpoint.ts';
import type { AdminDeps } from './admin-services.ts';

/** What the admin API is put together from. */
export interface AdminParts {
  /** The one credential. */
  adminKey: string;
  endpoints: readonly AdminEndpoint[];
  deps: AdminDeps;
}

/** No request here is larger than a key with a long list of models. */
const BODY_BYTES = 1024 * 1024;

/** Nothing longer is looked at, in characters; a longer admin key has its own length. */
const MAX_CREDENTIAL_LENGTH = 1_024;

/** Registers the admin API: each endpoint behind the admin key, with JSON bodies alone, its answers never kept. */
export async function registerAdmin(app: FastifyInstance, { adminKey, endpoints, deps }: AdminParts): Promise<void> {
  const isAdminKey = compareWith(adminKey);
  await app.register(async (scope) => {
    scope.removeContentTypeParser('multipart/form-data');
    scope.addHook('onRequest', (request, reply, done) => {
      void reply.header('cache-control', 'no-store');
      const credential = credentialOf(request);
      if (credential !== undefined && isAdminKey(credential)) return done();
      const what = credential === undefined ? 'No admin key was sent.' : 'This is not the admin key.';
      done(new GatewayError('invalid_api_key', `${what} Send it as \`Authorization: Bearer SLUICE_ADMIN_KEY\`.`));
    });
    for (const endpoint of endpoints) {
      scope.route({
        method: endpoint.method === 'GET' ? ['GET', 'HEAD'] : endpoint.method,
        url: endpoint.path,
        bodyLimit: BODY_BYTES,
        config: { encodeError: endpoint.protocol.encodeError },
        handler: async (request, reply) => {
          const params = request.params as Record<string, string>; // what a route without wildcards has
          const response = await endpoint.serve(deps, { params, query: request.query, body: request.body });
          return reply.code(endpoint.status).send(response);
        },
      });
    }
  });
}

function credentialOf({ headers }: FastifyRequest): string | undefined {
  const { authorization = '' } = headers;
  // Without a pattern for the whole: one that looks for the last character again from each blank takes seconds.
  const bearer = /^Bearer /i.test(authorization) ? authorization.slice('Bearer '.length).trim() : '';
  if (bearer !== '') return bearer;
  const value = headers['x-api-key'];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Hashes have one length and no likeness to what they are of: how long the comparison takes tells nothing. */
function compareWith(adminKey: string): (credential: string) => boolean {
  const expected = sha256(adminKey);
  const longest = Math.max(MAX_CREDENTIAL_LENGTH, adminKey.length);
  return (credential) => credential.length <= longest && timingSafeEqual(sha256(credential), expected);
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
