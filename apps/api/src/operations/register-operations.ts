import type { LedgerStats } from '@sluice/ledger';
import type { StorageMonitor, TaskEngine } from '@sluice/tasks';
import { METRICS_CONTENT_TYPES, type Metrics, metricsFormatOf } from '@sluice/telemetry';
import type { Webhooks } from '@sluice/webhooks';
import type { FastifyInstance } from 'fastify';
import { adminDetector } from '../auth/admin-key.ts';
import type { ProcessGroup } from '../processes/process-group.ts';
import { ledgerMetrics } from './ledger-metrics.ts';
import { taskMetrics } from './task-metrics.ts';
import { webhookMetrics } from './webhook-metrics.ts';

export interface OperationsDeps {
  engine: TaskEngine;
  storage: Pick<StorageMonitor, 'isAvailable'>;
  webhooks: Pick<Webhooks, 'stats'>;
  /** Undefined if the ledger is disabled. */
  ledgerStats: (() => Promise<LedgerStats>) | undefined;
  metrics: Metrics;
  /** With it, `/metrics` includes the families that name models and API keys. */
  adminKey: string | undefined;
  stopping: AbortSignal;
  /** Whether any upstream serves requests that create no task (e.g. text). These requests work without Redis. */
  servesInline: boolean;
  /** The processes that share the port, if this is not the only one. */
  group?: ProcessGroup | undefined;
}

const method = ['GET', 'HEAD'];

/** Registers `/health/live`, `/health/ready`, and `/metrics`. They need no API key and contain no client data. */
export function registerOperations(
  app: FastifyInstance,
  { engine, storage, webhooks, ledgerStats, metrics, adminKey, stopping, servesInline, group }: OperationsDeps,
): void {
  const isAdmin = adminDetector(adminKey);
  metrics.beforeRender(() => metrics.storageAvailable.set(storage.isAvailable() ? 1 : 0));
  group?.share(() => metrics.snapshot());
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
      const canServe = degraded.length === 0 || servesInline;
      if (group?.isComplete() === false) degraded.push('processes');
      if (degraded.length === 0) return { status: 'ok', degraded };
      if (canServe) return { status: 'degraded', degraded };
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
          () => [],
        ),
        webhooks.stats().then(webhookMetrics, () => []),
        ledgerStats?.().then(ledgerMetrics, () => []) ?? [],
      ]);
      const format = metricsFormatOf(request.headers.accept);
      const others = await group?.collect();
      const text = await metrics.render({
        withNames: isAdmin(request),
        ...(others && { others }),
        appended: fleet.flat(),
        format,
      });
      return reply.type(METRICS_CONTENT_TYPES[format]).send(text);
    },
  });
}
