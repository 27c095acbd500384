import type { StorageMonitor, TaskEngine } from '@sluice/tasks';
import type { Metrics } from '@sluice/telemetry';
import type { Webhooks } from '@sluice/webhooks';
import type { FastifyInstance } from 'fastify';
import { adminDetector } from '../auth/admin-key.ts';
import { storageMetrics } from './storage-metrics.ts';
import { taskMetrics } from './task-metrics.ts';
import { webhookMetrics } from './webhook-metrics.ts';

export interface OperationsDeps {
  engine: TaskEngine;
  storage: Pick<StorageMonitor, 'isAvailable'>;
  webhooks: Pick<Webhooks, 'stats'>;
  metrics: Metrics;
  /** With it, `/metrics` includes the families that name models and API keys. */
  adminKey: string | undefined;
  stopping: AbortSignal;
  /** Whether any upstream serves requests that create no task (e.g. text). These requests work without Redis. */
  servesInline: boolean;
}

const method = ['GET', 'HEAD'];

/** Registers `/health/live`, `/health/ready`, and `/metrics`. They need no API key and contain no client data. */
export function registerOperations(
  app: FastifyInstance,
  { engine, storage, webhooks, metrics, adminKey, stopping, servesInline }: OperationsDeps,
): void {
  const isAdmin = adminDetector(adminKey);
  app.route({ method, url: '/health/live', handler: async () => ({ status: 'ok' }) });

  app.route({
    method,
    url: '/health/ready',
    handler: async (_request, reply) => {
      if (stopping.aborted) return reply.code(503).send({ status: 'stopping', degraded: [] });
      const degraded = [
        ...((await engine.ready()) ? [] : ['redis']),
        ...(storage.isAvailable() ? [] : ['storage']), // Uses the last probe's result.
      ];
      if (degraded.length === 0) return { status: 'ok', degraded };
      if (servesInline) return { status: 'degraded', degraded };
      return reply.code(503).send({ status: 'unavailable', degraded });
    },
  });

  app.route({
    method,
    url: '/metrics',
    handler: async (request, reply) => {
      // Without Redis, the process's own metrics are still served.
      const fleet = await Promise.all([
        engine.stats().then(
          (stats) => taskMetrics(stats, Date.now()),
          () => '',
        ),
        webhooks.stats().then(webhookMetrics, () => ''),
      ]);
      const own = await metrics.render(isAdmin(request));
      return reply.type(metrics.contentType).send(own + storageMetrics(storage) + fleet.join(''));
    },
  });
}
