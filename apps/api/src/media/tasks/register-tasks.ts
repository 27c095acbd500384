import type { FastifyInstance } from 'fastify';
import { type AcceptedKeys, acceptKeys } from '../../auth/accept-keys.ts';
import type { TaskDeps, TaskEndpoint } from './task-endpoint.ts';

export interface TaskRoutes extends AcceptedKeys {
  endpoints: readonly TaskEndpoint[];
  deps: TaskDeps;
}

export async function registerTasks(app: FastifyInstance, { endpoints, deps, ...keys }: TaskRoutes): Promise<void> {
  await app.register(async (scope) => {
    acceptKeys(scope, keys);
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
