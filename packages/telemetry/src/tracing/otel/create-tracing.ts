import { type Attributes, diag, DiagLogLevel } from '@opentelemetry/api';
import type { TracingOptions } from '../tracing-options.ts';
import type { OtelSettings } from '../otel-settings.ts';
import { providerName } from '../provider-name.ts';
import type { Tracing } from '../tracing.ts';
import { GenAiMetrics } from './genai-metrics.ts';
import { genAiNames } from './genai-names.ts';
import { Propagation } from './propagation.ts';
import { createResource, openMeter, openTracer } from './providers.ts';
import { RequestSpan } from './request-span.ts';
import type { SpanKit } from './span-kit.ts';
import { StepSpan } from './step-span.ts';

/** Maximum time of the last export, so that an unreachable collector does not delay the end of the process. */
const MAX_CLOSE_MS = 3_000;

export async function createTracing({
  settings,
  service,
  version,
  upstreams,
  logger,
}: TracingOptions & { settings: OtelSettings }): Promise<Tracing> {
  const options = { resource: createResource({ service, version }), version, logger };
  logProblems(logger);
  const opened = settings.traces && (await openTracer(settings.traces, options));
  const meter = settings.metrics && (await openMeter(settings.metrics, options));
  // Later problems concern single spans, and would fill the log.
  diag.disable();
  const names = genAiNames(settings.usesLatestNames);
  const kit: SpanKit = {
    traces: opened && { tracer: opened.tracer, propagation: new Propagation(settings.traces?.propagators ?? []) },
    metrics: meter && new GenAiMetrics(meter.meter, names),
    names,
    contentChars: settings.contentChars,
    upstreams: describeAll(upstreams),
  };
  return {
    startRequest: (request) => new RequestSpan(kit, request),
    startStep: (context, step) => new StepSpan(kit, context, step),
    setUpstreams: (next) => void (kit.upstreams = describeAll(next)),
    close: async () => {
      const timeout = new Promise((resolve) => setTimeout(resolve, MAX_CLOSE_MS).unref());
      // A failed export is already logged.
      const closed = Promise.allSettled([opened?.close(), meter?.close()]);
      await Promise.race([closed, timeout]);
    },
  };
}

function ignore(): void {
  // Only warnings and errors are logged.
}

/** Logs the problems that the exporters find in their variables. The value of a header may be a credential. */
function logProblems(logger: TracingOptions['logger']): void {
  const warn = (message: string): void =>
    logger.warn(
      `OpenTelemetry: ${message.replace(/ has invalid value .* and will/, ' has an invalid value and will')}`,
    );
  const levels = { error: warn, warn, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(levels, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}

function describeAll(upstreams: TracingOptions['upstreams']): SpanKit['upstreams'] {
  return new Map(Object.entries(upstreams).map(([name, upstream]) => [name, describe(upstream)]));
}

function describe({ kind, base_url: baseUrl }: { kind: string; base_url: string }): Attributes {
  const { hostname, port, protocol } = new URL(baseUrl);
  return {
    'gen_ai.provider.name': providerName(kind, hostname),
    'server.address': hostname,
    'server.port': port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port),
  };
}
