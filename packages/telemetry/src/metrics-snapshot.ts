import { createRequire } from 'node:module';
import type PromClient from 'prom-client';
import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client';

type Family = MetricObjectWithValues<MetricValue<string>>;

/** The metrics of one process, or the sum of several. It can be sent as JSON. */
export interface MetricsSnapshot {
  families: Family[];
  /** The families that name models and API keys. */
  named: Family[];
}

/** Adds counters and histograms. Each gauge has its own rule, e.g. the maximum. */
export async function renderSnapshots(snapshots: readonly MetricsSnapshot[], withNames: boolean): Promise<string> {
  const text = await sum(snapshots.map(({ families }) => families)).metrics();
  return withNames ? `${text}${await sum(snapshots.map(({ named }) => named)).metrics()}` : text;
}

/** Adds the counters and histograms of processes that have ended, and omits their gauges. */
export async function sumCounts(snapshots: readonly MetricsSnapshot[]): Promise<MetricsSnapshot> {
  return {
    families: await sum(snapshots.map(({ families }) => families.filter(isCount))).getMetricsAsJSON(),
    named: await sum(snapshots.map(({ named }) => named.filter(isCount))).getMetricsAsJSON(),
  };
}

/** `type` is a name such as `counter`, although its declared type is a numeric enumeration. */
function isCount({ type }: Family): boolean {
  return ['counter', 'histogram'].includes(String(type));
}

function sum(parts: Family[][]): Registry {
  // Loaded lazily, as in `createMetrics`. The cast is needed because `require` is untyped.
  const { AggregatorRegistry } = createRequire(import.meta.url)('prom-client') as typeof PromClient;
  return AggregatorRegistry.aggregate(parts);
}
