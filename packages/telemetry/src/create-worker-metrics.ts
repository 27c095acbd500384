import { createRequire } from 'node:module';
import type PromClient from 'prom-client';
import { boundedCounter, type BoundedCounter } from './bounded-metrics.ts';
import type { MetricsOptions } from './create-metrics.ts';
import { type MetricsFormat, renderFamilies } from './render-families.ts';
import { type UpstreamMetrics, upstreamMetrics, type UsageLabel } from './upstream-metrics.ts';

/** Metrics of one worker process. Metrics of the entire deployment come from Redis. */
export interface WorkerMetrics extends UpstreamMetrics {
  taskEnds: BoundedCounter<UsageLabel | 'kind' | 'status' | 'code'>;
  render: (format?: MetricsFormat) => Promise<string>;
}

export function createWorkerMetrics({ processMetrics = false }: MetricsOptions = {}): WorkerMetrics {
  // Loaded lazily, as in `createMetrics`. The cast is needed because `require` is untyped.
  const client = createRequire(import.meta.url)('prom-client') as typeof PromClient;
  const registry = new client.Registry();
  if (processMetrics) client.collectDefaultMetrics({ register: registry });
  const target = { client, registry };
  return {
    ...upstreamMetrics(target),
    taskEnds: boundedCounter(target, {
      name: 'sluice_task_ends_total',
      help: 'Tasks that this worker ended, by final state and error code.',
      labelNames: ['model', 'key', 'upstream', 'kind', 'status', 'code'],
    }),
    render: async (format = 'prometheus') => renderFamilies(await registry.getMetricsAsJSON(), format),
  };
}
