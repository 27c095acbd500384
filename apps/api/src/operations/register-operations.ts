import type { TaskEngine } from '@sluice/tasks';
import type { Metrics } from '@sluice/telemetry';
import type { Webhooks } from '@sluice/webhooks';
import type { FastifyInstance } from 'fastify';
import { taskMetrics } from './task-metrics.ts';
import { webhookMetrics } from './webhook-metrics.ts';

export interface OperationsDeps {
  engine: TaskEngine;
  webhooks: Pick<Webhooks, 'stats'>;
  metrics: Metrics;
  stopping: AbortSignal;
  /** Whether any upstream serves requests without a task, such as text: these work without Redis. */
  servesInline: boolean;
}

const method = ['GET', 'HEAD'];

/** Registers `/health/live`, `/health/ready`, and `/metrics`: without a key, and without data about clients. */
export function registerOperations(
  app: FastifyInstance,
  { engine, webhooks, metrics, stopping, servesInline }: OperationsDeps,
): void {
  app.route({ method, url: '/health/live', handler: async () => ({ status: 'ok' }) });

  app.route({
    method,
    url: '/health/ready',
    handler: async (_request, reply) => {
      if (stopping.aborted) return reply.code(503).send({ status: 'stopping', degraded: [] });
      if (!(await engine.ready())) {
        if (servesInline) return { status: 'degraded', degraded: ['redis'] };
        return reply.code(503).send({ status: 'unavailable', degraded: ['redis'] });
      }
      return { status: 'ok', degraded: [] };
    },
  });

  app.route({
    method,
    url: '/metrics',
    handler: async (_request, reply) => {
      // Without Redis, the metrics of the process are still useful.
      const fleet = await Promise.all([
        engine.stats().then(
          (stats) => taskMetrics(stats, Date.now()),
          () => '',
        ),
        webhooks.stats().then(webhookMetrics, () => ''),
      ]);
      return reply.type(metrics.contentType).send((await metrics.render()) + fleet.join(''));
    },
  });
}
