import { randomUUID } from 'node:crypto';
import type { Meter, Tracer } from '@opentelemetry/api';
import { setGlobalErrorHandler } from '@opentelemetry/core';
import {
  defaultResource,
  envDetector,
  detectResources,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader, type PushMetricExporter } from '@opentelemetry/sdk-metrics';
import {
  BatchSpanProcessor,
  ConsoleSpanExporter,
  SimpleSpanProcessor,
  type SpanExporter,
  type SpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { TracingOptions } from '../tracing-options.ts';
import type { Encoding, MetricSettings, TraceSettings } from '../otel-settings.ts';
import { loggedExport } from './export-log.ts';
import { createSampler } from './sampler.ts';

const SCOPE = 'sluice';

type Logger = TracingOptions['logger'];

export interface TracerParts {
  tracer: Tracer;
  close(): Promise<void>;
}

export interface MeterParts {
  meter: Meter;
  close(): Promise<void>;
}

export function createResource({ service, version }: Pick<TracingOptions, 'service' | 'version'>): Resource {
  const own = resourceFromAttributes({
    'service.name': service,
    'service.version': version,
    'service.instance.id': randomUUID(),
    'process.pid': process.pid,
  });
  return defaultResource()
    .merge(own)
    .merge(detectResources({ detectors: [envDetector] }));
}

/** Nothing is registered globally, so that no other library creates spans, and no context manager runs. */
export async function openTracer(
  settings: TraceSettings,
  { resource, version, logger }: { resource: Resource; version: string; logger: Logger },
): Promise<TracerParts> {
  // Export failures are logged by `loggedExport`.
  setGlobalErrorHandler((error) => logger.debug({ err: error }, 'OpenTelemetry error'));
  const provider = new TracerProvider({
    resource,
    sampler: createSampler(settings.sampler),
    spanLimits: settings.limits,
    spanProcessors: [await spanProcessor(settings, logger)],
  });
  return { tracer: provider.getTracer(SCOPE, version), close: () => provider.shutdown() };
}

async function spanProcessor({ exporter, encoding, queue }: TraceSettings, logger: Logger): Promise<SpanProcessor> {
  if (exporter === 'console') return new SimpleSpanProcessor({ exporter: new ConsoleSpanExporter() });
  const otlp = await spanExporter(encoding);
  loggedExport(otlp, 'traces', logger);
  return new BatchSpanProcessor({ exporter: otlp, ...queue });
}

/** Only the encoding in use is loaded. */
async function spanExporter(encoding: Encoding): Promise<SpanExporter> {
  const { OTLPTraceExporter } =
    encoding === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto');
  return new OTLPTraceExporter();
}

export async function openMeter(
  { encoding, intervalMs, timeoutMs }: MetricSettings,
  { resource, version, logger }: { resource: Resource; version: string; logger: Logger },
): Promise<MeterParts> {
  const exporter = await metricExporter(encoding);
  loggedExport(exporter, 'metrics', logger);
  const reader = new PeriodicExportingMetricReader({
    exporter,
    exportIntervalMillis: intervalMs,
    exportTimeoutMillis: timeoutMs,
  });
  const provider = new MeterProvider({ resource, readers: [reader] });
  return { meter: provider.getMeter(SCOPE, version), close: () => provider.shutdown() };
}

async function metricExporter(encoding: Encoding): Promise<PushMetricExporter> {
  const { OTLPMetricExporter } =
    encoding === 'http/json'
      ? await import('@opentelemetry/exporter-metrics-otlp-http')
      : await import('@opentelemetry/exporter-metrics-otlp-proto');
  return new OTLPMetricExporter();
}
