import type { TaskEngine } from '@sluice/tasks';
import type { Metrics } from '@sluice/telemetry';
import type { FastifyInstance } from 'fastify';
import { taskMetrics } from './task-metrics.ts';

/** What an operator's tools ask for. */
export interface OperationsRoom {
  engine: TaskEngine;
  metrics: Metrics;
  /** Aborts when the process is asked to stop. */
  stopping: AbortSignal;
}

/** Load balancers ask with either. */
const method = ['GET', 'HEAD'];

/** Registers `/health/live`, `/health/ready` and `/metrics`. None needs a key or tells anything about clients. */
export function registerOperations(app: FastifyInstance, { engine, metrics, stopping }: OperationsRoom): void {
  app.route({ method, url: '/health/live', handler: async () => ({ status: 'ok' }) });

  // Videos are all that is served so far, so without Redis nothing is.
  app.route({
    method,
    url: '/health/ready',
    handler: async (_request, reply) => {
      if (stopping.aborted) return reply.code(503).send({ status: 'stopping', degraded: [] });
      if (!(await engine.ready())) return reply.code(503).send({ status: 'unavailable', degraded: ['redis'] });
      return { status: 'ok', degraded: [] };
    },
  });

  app.route({
    method,
    url: '/metrics',
    handler: async (_request, reply) => {
      const fleet = await engine.stats().then(
        (stats) => taskMetrics(stats, Date.now()),
        () => '', // Redis is away: the process' own numbers are still worth having
      );
      return reply.type(metrics.contentType).send((await metrics.render()) + fleet);
    },
  });
}
