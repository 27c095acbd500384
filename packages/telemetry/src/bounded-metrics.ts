import type PromClient from 'prom-client';
import type { Metric, Registry } from 'prom-client';
import { boundedSeries } from './bounded-series.ts';

/** A counter with a bounded number of series. */
export interface BoundedCounter<L extends string> {
  inc(labels: Readonly<Record<L, string>>, by?: number): void;
}

/** A histogram with a bounded number of series. */
export interface BoundedHistogram<L extends string> {
  /** @param traceId becomes the exemplar of the value's bucket, which replaces the previous one */
  observe(labels: Readonly<Record<L, string>>, value: number, traceId?: string): void;
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

type Labels = Readonly<Record<string, string>>;

/** A value as the Prometheus client renders it. */
interface RenderedValue {
  labels: Record<string, string | number>;
  value: number;
  metricName?: string;
  exemplar?: Exemplar | undefined;
}

/** A value of a bucket with the trace of its request. The time is in Unix seconds. */
interface Exemplar {
  labelSet: { trace_id: string };
  value: number;
  timestamp: number;
}

/**
 * Doubles from 10 ms to 655 s: the buckets that OpenTelemetry defines for GenAI durations, and three more for video
 * submissions.
 */
const DURATION_SECONDS = Array.from({ length: 17 }, (_, power) => 2 ** power / 100);

/**
 * The Prometheus client finds a series by hashing its labels on each update, which takes longer than a request can
 * afford. These families count in plain fields, and the client reads them when the metrics are rendered.
 */
export function boundedCounter<L extends string>(target: MetricsTarget, family: Family<L>): BoundedCounter<L> {
  const all: Counter[] = [];
  const series = boundedSeries(family.labelNames, (labels) => {
    const created = new Counter(pick(family, labels));
    all.push(created);
    return created;
  });
  register(target, 'counter', family, () => all.map(({ labels, value }) => ({ labels: { ...labels }, value })));
  return { inc: (labels, by) => series.of(labels).inc(by) };
}

class Counter {
  readonly labels: Labels;
  value = 0;

  constructor(labels: Labels) {
    this.labels = labels;
  }

  /** Ignores negative and invalid numbers, because a counter must never decrease. */
  inc(by = 1): void {
    if (by > 0) this.value += by;
  }
}

/** @param bounds upper bounds of the buckets, ascending */
export function boundedHistogram<L extends string>(
  target: MetricsTarget,
  family: Family<L>,
  bounds: readonly number[] = DURATION_SECONDS,
): BoundedHistogram<L> {
  const all: Histogram[] = [];
  const series = boundedSeries(family.labelNames, (labels) => {
    const created = new Histogram(pick(family, labels), bounds);
    all.push(created);
    return created;
  });
  register(target, 'histogram', family, () => all.flatMap((one) => one.render(family.name)));
  return { observe: (labels, value, traceId) => series.of(labels).observe(value, traceId) };
}

class Histogram {
  readonly #labels: Labels;
  readonly #bounds: readonly number[];
  /** Number of values per bucket, not cumulative. The last bucket is unbounded. */
  readonly #counts: number[];
  readonly #exemplars: (Exemplar | undefined)[] = [];
  #sum = 0;

  constructor(labels: Labels, bounds: readonly number[]) {
    this.#labels = labels;
    this.#bounds = bounds;
    this.#counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  /** Ignores invalid numbers, because one of them would make the sum invalid. */
  observe(value: number, traceId?: string): void {
    if (!Number.isFinite(value)) return;
    let bucket = 0;
    while (bucket < this.#bounds.length && value > (this.#bounds[bucket] ?? 0)) bucket += 1;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#sum += value;
    if (traceId === undefined) return;
    this.#exemplars[bucket] = { labelSet: { trace_id: traceId }, value, timestamp: Date.now() / 1_000 };
  }

  render(name: string): RenderedValue[] {
    const labels = { ...this.#labels };
    let count = 0;
    const buckets = this.#counts.map((inBucket, at) => {
      count += inBucket;
      return {
        labels: { le: this.#bounds[at] ?? '+Inf', ...labels },
        value: count,
        metricName: `${name}_bucket`,
        exemplar: this.#exemplars[at],
      };
    });
    return [
      ...buckets,
      { labels, value: this.#sum, metricName: `${name}_sum` },
      { labels, value: count, metricName: `${name}_count` },
    ];
  }
}

/** Copies the labels, because the caller may change its object or add members to it. */
function pick<L extends string>({ labelNames }: Family<L>, labels: Readonly<Record<L, string>>): Labels {
  return Object.fromEntries(labelNames.map((name) => [name, labels[name]]));
}

function register(
  { registry }: MetricsTarget,
  type: 'counter' | 'histogram',
  { name, help }: Family<string>,
  valuesOf: () => RenderedValue[],
): void {
  const metric = {
    name,
    help,
    type,
    aggregator: 'sum',
    get: () => Promise.resolve({ name, help, type, aggregator: 'sum', values: valuesOf() }),
  };
  // The cast is needed because the types allow only the client's own classes. The registry uses only these members.
  registry.registerMetric(metric as unknown as Metric);
}
