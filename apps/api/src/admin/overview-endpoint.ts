import { z } from 'zod';
import { defineAdminEndpoint } from './admin-endpoint.ts';

export const OverviewSchema = z
  .object({
    object: z.literal('overview'),
    tasks: z.record(z.string(), z.number()).describe('Number of stored tasks in each state.'),
    upstreams: z
      .array(
        z.object({
          upstream: z.string(),
          state: z
            .enum(['closed', 'half-open', 'open'])
            .describe('The worst state of its circuit breakers. An open one sends no requests to the upstream.'),
          open_operations: z.array(z.string()).describe('Operations whose circuit breaker is not closed.'),
        }),
      )
      .describe('Upstreams of requests that create no task.'),
  })
  .meta({ id: 'AdminOverview' });

const ORDER = ['open', 'half-open'] as const;

export const OVERVIEW_ENDPOINT = defineAdminEndpoint({
  method: 'GET',
  path: '/admin/v1/overview',
  operationId: 'adminRetrieveOverview',
  summary: 'Retrieve the number of tasks by state, and the health of the upstreams',
  response: { status: 200, description: 'The overview', schema: OverviewSchema },
  errors: ['store_unavailable'],
  serve: async ({ engine, circuits }) => {
    const [{ tasks }, states] = await Promise.all([engine.stats(), circuits()]);
    const upstreams = [...Map.groupBy(states, ({ upstream }) => upstream)].map(([upstream, own]) => ({
      upstream,
      state: ORDER.find((state) => own.some((one) => one.state === state)) ?? 'closed',
      open_operations: own.filter(({ state }) => state !== 'closed').map(({ operation }) => operation),
    }));
    return { object: 'overview', tasks, upstreams };
  },
});
