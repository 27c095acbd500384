import type { BatchStore } from '@sluice/batches';
import type { LedgerStats } from '@sluice/ledger';
import type { StorageMonitor } from '@sluice/content';
import type { TaskEngine } from '@sluice/tasks';
import type { JobStats } from '@sluice/responses';
import { METRICS_CONTENT_TYPES, type Metrics, metricsFormatOf } from '@sluice/telemetry';
import type { Webhooks } from '@sluice/webhooks';
import type { FastifyInstance } from 'fastify';
import { adminDetector } from '../auth/admin-key.ts';
import type { ProcessGroup } from '../processes/process-group.ts';
import type { FileStore } from '@sluice/files';
import { batchMetrics } from './batch-metrics.ts';
import { fileMetrics } from './file-metrics.ts';
import { ledgerMetrics } from './ledger-metrics.ts';
import { responseMetrics } from './response-metrics.ts';
import { taskMetrics } from './task-metrics.ts';
import { webhookMetrics } from './webhook-metrics.ts';

export interface OperationsDeps {
  engine: TaskEngine;
  storage: Pick<StorageMonitor, 'isAvailable'>;
  webhooks: Pick<Webhooks, 'stats'>;
  batches: Pick<BatchStore, 'stats'>;
  files: Pick<FileStore, 'stats'>;
  /** Undefined if the ledger is disabled. */
  ledgerStats: (() => Promise<LedgerStats>) | undefined;
  responseStats: () => Promise<JobStats>;
  metrics: Metrics;
  /** With it, `/metrics` includes the families that name models and API keys. */
  adminKey: string | undefined;
  stopping: AbortSignal;
  /** Whether any upstream serves requests that create no task (e.g. text). These requests work without Redis. */
  servesInline: () => boolean;
  /** The processes that share the port, if this is not the only one. */
  group?: ProcessGroup | undefined;
}

const method = ['GET', 'HEAD'];

/** Registers `/health/live`, `/health/ready`, and `/metrics`. They need no API key and contain no client data. */
export function registerOperations(app: FastifyInstance, deps: OperationsDeps): void {
  const {
    engine,
    storage,
    webhooks,
    batches,
    files,
    ledgerStats,
    responseStats,
    metrics,
    adminKey,
    stopping,
    servesInline,
    group,
  } = deps;
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
      const canServe = degraded.length === 0 || servesInline();
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
        responseStats().then(responseMetrics, () => []),
        batches.stats().then(batchMetrics, () => []),
        files.stats().then(fileMetrics, () => []),
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
