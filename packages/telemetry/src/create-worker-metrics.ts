import { createRequire } from 'node:module';
import type PromClient from 'prom-client';
import { type BatchMetrics, batchMetrics } from './batch-metrics.ts';
import { boundedCounter, type BoundedCounter } from './bounded-metrics.ts';
import { type ConfigMetrics, configMetrics } from './config-metrics.ts';
import type { MetricsOptions } from './create-metrics.ts';
import { type MetricsSnapshot, sumCounts, sumSnapshots } from './metrics-snapshot.ts';
import { type MetricsFormat, renderFamilies } from './render-families.ts';
import { type UpstreamMetrics, upstreamMetrics, type UsageLabel } from './upstream-metrics.ts';

/** Metrics of one worker process. Metrics of the entire deployment come from Redis. */
export interface WorkerMetrics extends UpstreamMetrics, ConfigMetrics, BatchMetrics {
  taskEnds: BoundedCounter<UsageLabel | 'kind' | 'status' | 'code'>;
  /** Adds the counters and histograms of another registry of this process. */
  include: (snapshot: () => Promise<MetricsSnapshot>) => void;
  render: (format?: MetricsFormat) => Promise<string>;
}

export function createWorkerMetrics({ processMetrics = false }: MetricsOptions = {}): WorkerMetrics {
  // Loaded lazily, as in `createMetrics`. The cast is needed because `require` is untyped.
  const client = createRequire(import.meta.url)('prom-client') as typeof PromClient;
  const registry = new client.Registry();
  if (processMetrics) client.collectDefaultMetrics({ register: registry });
  const target = { client, registry };
  const included: (() => Promise<MetricsSnapshot>)[] = [];
  return {
    ...upstreamMetrics(target),
    ...configMetrics(client, registry),
    ...batchMetrics(target),
    taskEnds: boundedCounter(target, {
      name: 'sluice_task_ends_total',
      help: 'Tasks that this worker ended, by final state and error code.',
      labelNames: ['model', 'key', 'upstream', 'kind', 'status', 'code'],
    }),
    include: (snapshot) => void included.push(snapshot),
    async render(format = 'prometheus') {
      const own = await registry.getMetricsAsJSON();
      if (included.length === 0) return renderFamilies(own, format);
      const { families, named } = await sumCounts(await Promise.all(included.map((read) => read())));
      const all = [own, [...families, ...named]].map((part) => ({ families: part, named: [] }));
      return renderFamilies((await sumSnapshots(all)).families, format);
    },
  };
}
