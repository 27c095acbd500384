import type { MetricFamily } from '@sluice/telemetry';

/** One value of a metric family. */
export interface Sample {
  labels: Record<string, string | number>;
  value: number;
}

type Values = readonly Sample[] | number;

export function counter(name: string, help: string, values: Values): MetricFamily {
  return { name, help, type: 'counter', values: samplesOf(values) };
}

export function gauge(name: string, help: string, values: Values): MetricFamily {
  return { name, help, type: 'gauge', values: samplesOf(values) };
}

export interface Distribution {
  /** Cumulative counts by upper bound. */
  buckets: readonly (readonly [bound: number, count: number])[];
  sum: number;
  count: number;
}

export function histogram(name: string, help: string, { buckets, sum, count }: Distribution): MetricFamily {
  const bucket = (le: number | string, value: number) => ({ labels: { le }, value, metricName: `${name}_bucket` });
  const values = [
    ...buckets.map(([bound, inBucket]) => bucket(bound, inBucket)),
    bucket('+Inf', count),
    { labels: {}, value: sum, metricName: `${name}_sum` },
    { labels: {}, value: count, metricName: `${name}_count` },
  ];
  return { name, help, type: 'histogram', values };
}

function samplesOf(values: Values): Sample[] {
  return typeof values === 'number' ? [{ labels: {}, value: values }] : [...values];
}
