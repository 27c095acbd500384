import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { CallerOf } from './authenticate.ts';

export interface AcceptedKeys {
  callerOf: CallerOf;
  /** Returns whether a request has the admin key. */
  isAdmin: (request: FastifyRequest) => boolean;
}

/**
 * Makes the routes of a scope accept API keys and the admin key, and disables the caching of their responses. A request
 * with the admin key has no `apiKey`.
 */
export function acceptKeys(scope: FastifyInstance, { callerOf, isAdmin }: AcceptedKeys): void {
  scope.addHook('onRequest', (request, reply, done) => {
    void reply.header('cache-control', 'no-store');
    if (!isAdmin(request)) request.apiKey = callerOf(request);
    done();
  });
}
