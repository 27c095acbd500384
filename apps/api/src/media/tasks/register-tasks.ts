import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { CallerOf } from '../../auth/authenticate.ts';
import type { TaskDeps, TaskEndpoint } from './task-endpoint.ts';

export interface TaskRoutes {
  endpoints: readonly TaskEndpoint[];
  callerOf: CallerOf;
  /** Returns whether a request has the admin key. */
  isAdmin: (request: FastifyRequest) => boolean;
  deps: TaskDeps;
}

/** Registers the endpoints of tasks. They accept API keys and the admin key, and disable caching. */
export async function registerTasks(
  app: FastifyInstance,
  { endpoints, callerOf, isAdmin, deps }: TaskRoutes,
): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook('onRequest', (request, reply, done) => {
      void reply.header('cache-control', 'no-store');
      if (!isAdmin(request)) request.apiKey = callerOf(request);
      done();
    });
    for (const endpoint of endpoints) {
      const { name, encodeError } = endpoint.protocol;
      scope.route({
        method: endpoint.method === 'GET' ? ['GET', 'HEAD'] : endpoint.method,
        url: endpoint.path,
        config: { protocol: name, encodeError },
        handler: (request, reply) => {
          // The cast is safe because these routes have no wildcards.
          const { task_id: id = '' } = request.params as Record<string, string>;
          return endpoint.serve(deps, { owner: request.apiKey?.name, id, request, reply });
        },
      });
    }
  });
}
