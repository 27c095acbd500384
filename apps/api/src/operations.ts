import type { TaskEngine } from '@sluice/tasks';
import type { Metrics } from '@sluice/telemetry';
import type { FastifyInstance } from 'fastify';
import { taskMetrics } from './task-metrics.ts';

/** What an operator's tools ask for. */
export interface OperationsRoom {
  engine: TaskEngine;
  metrics: Metrics;
  /** True from the moment on which the process is asked to stop. */
  isStopping: () => boolean;
}

/** Registers `/health/live`, `/health/ready` and `/metrics`. None needs a key or tells anything about clients. */
export function registerOperations(app: FastifyInstance, { engine, metrics, isStopping }: OperationsRoom): void {
  app.get('/health/live', async () => ({ status: 'ok' }));

  // Videos are all that is served so far, so without Redis nothing is.
  app.get('/health/ready', async (_request, reply) => {
    if (isStopping()) return reply.code(503).send({ status: 'stopping', degraded: [] });
    if (!(await engine.ready())) return reply.code(503).send({ status: 'unavailable', degraded: ['redis'] });
    return { status: 'ok', degraded: [] };
  });

  app.get('/metrics', async (_request, reply) => {
    const fleet = await engine.stats().then(
      (stats) => taskMetrics(stats, Date.now()),
      () => '', // Redis is away: the process' own numbers are still worth having
    );
    return reply.type(metrics.contentType).send((await metrics.render()) + fleet);
  });
}
