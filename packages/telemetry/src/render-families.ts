import { createRequire } from 'node:module';
import type PromClient from 'prom-client';
import type { Metric, MetricValue, OpenMetricsContentType, PrometheusContentType } from 'prom-client';

/** A metric family with its values, as the Prometheus client collects it. It can be sent as JSON. */
export interface MetricFamily {
  name: string;
  help: string;
  type: unknown; // A name such as `counter`, although the client declares a numeric enumeration.
  values: MetricValue<string>[];
}

/** Only OpenMetrics contains exemplars. */
export type MetricsFormat = 'prometheus' | 'openmetrics';

export const METRICS_CONTENT_TYPES: Readonly<Record<MetricsFormat, string>> = {
  prometheus: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
};

/** Returns the format that a scraper prefers. Prometheus prefers OpenMetrics. */
export function metricsFormatOf(accept: string | undefined): MetricsFormat {
  return accept?.includes('application/openmetrics-text') ? 'openmetrics' : 'prometheus';
}

export async function renderFamilies(families: readonly MetricFamily[], format: MetricsFormat): Promise<string> {
  // Loaded lazily, as in `createMetrics`. The cast is needed because `require` is untyped.
  const { Registry } = createRequire(import.meta.url)('prom-client') as typeof PromClient;
  const isOpen = format === 'openmetrics';
  const registry = new Registry<OpenMetricsContentType | PrometheusContentType>();
  if (isOpen) registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  for (const family of families) {
    // In OpenMetrics, the name of a counter's family has no suffix. The client adds it to the samples.
    const name = isOpen && family.type === 'counter' ? family.name.replace(/_total$/, '') : family.name;
    const metric = { name, type: family.type, get: () => Promise.resolve({ ...family, name }) };
    // The cast is needed because the types allow only the client's own classes. The registry uses only these members.
    registry.registerMetric(metric as unknown as Metric);
  }
  return registry.metrics();
}
