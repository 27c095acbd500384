import { createRequire } from 'node:module';
import type PromClient from 'prom-client';
import type { MetricFamily } from './render-families.ts';

/** The metrics of one process, or the sum of several. It can be sent as JSON. */
export interface MetricsSnapshot {
  families: MetricFamily[];
  /** The families that name models and API keys. */
  named: MetricFamily[];
}

/** Adds counters and histograms. Each gauge has its own rule, e.g. the maximum. */
export async function sumSnapshots(snapshots: readonly MetricsSnapshot[]): Promise<MetricsSnapshot> {
  return {
    families: await sum(snapshots.map(({ families }) => families)),
    named: await sum(snapshots.map(({ named }) => named)),
  };
}

/** Adds the counters and histograms of processes that have ended, and omits their gauges. */
export function sumCounts(snapshots: readonly MetricsSnapshot[]): Promise<MetricsSnapshot> {
  return sumSnapshots(
    snapshots.map(({ families, named }) => ({ families: families.filter(isCount), named: named.filter(isCount) })),
  );
}

function isCount({ type }: MetricFamily): boolean {
  return type === 'counter' || type === 'histogram';
}

function sum(parts: MetricFamily[][]): Promise<MetricFamily[]> {
  // Loaded lazily, as in `createMetrics`. The cast is needed because `require` is untyped.
  const { AggregatorRegistry } = createRequire(import.meta.url)('prom-client') as typeof PromClient;
  return AggregatorRegistry.aggregate(parts).getMetricsAsJSON();
}
