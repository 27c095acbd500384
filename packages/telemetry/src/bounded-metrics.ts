import type PromClient from 'prom-client';
import type { Registry } from 'prom-client';
import { boundedSeries } from './bounded-series.ts';

/** A counter with a bounded number of series. */
export interface BoundedCounter<L extends string> {
  inc(labels: Readonly<Record<L, string>>, by?: number): void;
}

/** A histogram with a bounded number of series. */
export interface BoundedHistogram<L extends string> {
  observe(labels: Readonly<Record<L, string>>, value: number): void;
}

export interface Family<L extends string> {
  name: string;
  help: string;
  labelNames: readonly L[];
}

/** A registry, and the Prometheus client that creates its metric families. */
export interface MetricsTarget {
  client: typeof PromClient;
  registry: Registry;
}

/**
 * Doubles from 10 ms to 655 s: the buckets that OpenTelemetry defines for GenAI durations, and three more for video
 * submissions.
 */
const DURATION_SECONDS = Array.from({ length: 17 }, (_, power) => 2 ** power / 100);

/** Caches each series, because the Prometheus client's own lookup by labels is slower. */
export function boundedCounter<L extends string>(
  { client, registry }: MetricsTarget,
  family: Family<L>,
): BoundedCounter<L> {
  const counter = new client.Counter<L>({ ...family, registers: [registry] });
  const series = boundedSeries(family.labelNames, (labels) => counter.labels(labels));
  return { inc: (labels, by = 1) => series.of(labels).inc(by) };
}

export function boundedHistogram<L extends string>(
  { client, registry }: MetricsTarget,
  family: Family<L>,
): BoundedHistogram<L> {
  const histogram = new client.Histogram<L>({ ...family, buckets: DURATION_SECONDS, registers: [registry] });
  const series = boundedSeries(family.labelNames, (labels) => histogram.labels(labels));
  return { observe: (labels, value) => series.of(labels).observe(value) };
}
