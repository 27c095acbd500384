/** The settings in the standard `OTEL_*` variables that Sluice reads itself. The exporters read theirs. */
export interface OtelSettings {
  traces: TraceSettings | undefined;
  metrics: MetricSettings | undefined;
  serviceName: string | undefined;
  /** Whether the newest, experimental names of the GenAI conventions are used. */
  usesLatestNames: boolean;
  contentChars: number;
  /** Problems to log. An invalid value is replaced by its default, as OpenTelemetry specifies. */
  warnings: readonly string[];
}

export interface TraceSettings {
  exporter: 'otlp' | 'console';
  encoding: Encoding;
  sampler: SamplerSettings;
  propagators: readonly Propagator[];
  queue: {
    maxQueueSize: number;
    maxExportBatchSize: number;
    scheduledDelayMillis: number;
    exportTimeoutMillis: number;
  };
  limits: { attributeCountLimit: number; eventCountLimit: number; attributeValueLengthLimit: number };
}

export interface MetricSettings {
  encoding: Encoding;
  intervalMs: number;
  timeoutMs: number;
}

export type Encoding = 'http/protobuf' | 'http/json';
export type Propagator = 'tracecontext' | 'b3' | 'b3multi';

export interface SamplerSettings {
  root: 'always_on' | 'always_off' | 'traceidratio';
  ratio: number;
  /** Whether the sampling decision of the client is used, if it sent one. */
  isParentBased: boolean;
}

type Env = Readonly<Record<string, string | undefined>>;

const MAX_CONTENT_CHARS = 8_192;

/** @returns undefined if neither traces nor metrics are configured */
export function readOtelSettings(env: Env): OtelSettings | undefined {
  const reader = new Reader(env);
  if (reader.flag('OTEL_SDK_DISABLED')) return undefined;
  const traces = traceSettings(reader);
  const metrics = metricSettings(reader);
  if (!traces && !metrics) return undefined;
  return {
    traces,
    metrics,
    serviceName: reader.text('OTEL_SERVICE_NAME'),
    usesLatestNames: reader.list('OTEL_SEMCONV_STABILITY_OPT_IN').includes('gen_ai_latest_experimental'),
    contentChars: reader.flag('OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT')
      ? Math.min(MAX_CONTENT_CHARS, reader.number('OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT', MAX_CONTENT_CHARS))
      : 0,
    warnings: reader.warnings,
  };
}

function traceSettings(reader: Reader): TraceSettings | undefined {
  const hasEndpoint =
    reader.text('OTEL_EXPORTER_OTLP_ENDPOINT') !== undefined ||
    reader.text('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') !== undefined;
  const exporter = reader.choice('OTEL_TRACES_EXPORTER', ['otlp', 'console', 'none'], hasEndpoint ? 'otlp' : 'none');
  if (exporter === 'none') return undefined;
  const maxQueueSize = reader.number('OTEL_BSP_MAX_QUEUE_SIZE', 2_048);
  return {
    exporter,
    encoding: encodingOf(reader, 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'),
    sampler: samplerSettings(reader),
    propagators: propagatorsOf(reader),
    queue: {
      maxQueueSize,
      maxExportBatchSize: Math.min(maxQueueSize, reader.number('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512)),
      scheduledDelayMillis: reader.number('OTEL_BSP_SCHEDULE_DELAY', 5_000),
      exportTimeoutMillis: reader.number('OTEL_BSP_EXPORT_TIMEOUT', 30_000),
    },
    limits: {
      attributeCountLimit: reader.number('OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT', 128),
      eventCountLimit: reader.number('OTEL_SPAN_EVENT_COUNT_LIMIT', 128),
      attributeValueLengthLimit: reader.number('OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT', MAX_CONTENT_CHARS),
    },
  };
}

/** Metrics need their own variable, because many collectors of traces reject metrics. */
function metricSettings(reader: Reader): MetricSettings | undefined {
  const hasEndpoint = reader.text('OTEL_EXPORTER_OTLP_METRICS_ENDPOINT') !== undefined;
  const exporter = reader.choice('OTEL_METRICS_EXPORTER', ['otlp', 'none'], hasEndpoint ? 'otlp' : 'none');
  if (exporter === 'none') return undefined;
  const intervalMs = reader.number('OTEL_METRIC_EXPORT_INTERVAL', 60_000);
  return {
    encoding: encodingOf(reader, 'OTEL_EXPORTER_OTLP_METRICS_PROTOCOL'),
    intervalMs,
    timeoutMs: Math.min(intervalMs, reader.number('OTEL_METRIC_EXPORT_TIMEOUT', 30_000)),
  };
}

function encodingOf(reader: Reader, name: string): Encoding {
  const encodings = ['http/protobuf', 'http/json'] as const;
  const general = reader.choice('OTEL_EXPORTER_OTLP_PROTOCOL', encodings, 'http/protobuf');
  return reader.choice(name, encodings, general);
}

const SAMPLERS = ['always_on', 'always_off', 'traceidratio'] as const;

function samplerSettings(reader: Reader): SamplerSettings {
  const names = [...SAMPLERS, ...SAMPLERS.map((name) => `parentbased_${name}` as const)];
  const name = reader.choice('OTEL_TRACES_SAMPLER', names, 'parentbased_always_on');
  const root = SAMPLERS.find((one) => name.endsWith(one)) ?? 'always_on';
  const ratio = root === 'traceidratio' ? reader.ratio('OTEL_TRACES_SAMPLER_ARG') : 1;
  return { root, ratio, isParentBased: name.startsWith('parentbased_') };
}

/** Baggage is accepted but has no effect: the client's values must not reach a vendor. */
function propagatorsOf(reader: Reader): Propagator[] {
  const known = ['tracecontext', 'b3', 'b3multi'] as const;
  const names = reader.list('OTEL_PROPAGATORS');
  if (names.length === 0) return ['tracecontext'];
  const unknown = names.filter((name) => !['baggage', 'none', ...known].includes(name));
  if (unknown.length > 0) reader.warnings.push(`OTEL_PROPAGATORS: \`${unknown.join(',')}\` is not supported.`);
  return known.filter((name) => names.includes(name));
}

class Reader {
  readonly warnings: string[] = [];
  readonly #env: Env;

  constructor(env: Env) {
    this.#env = env;
  }

  /** OpenTelemetry treats an empty variable as unset. */
  text(name: string): string | undefined {
    return this.#env[name]?.trim() || undefined;
  }

  flag(name: string): boolean {
    const text = this.text(name)?.toLowerCase() ?? 'false';
    if (text !== 'true' && text !== 'false') this.#warn(name, text, 'false');
    return text === 'true';
  }

  list(name: string): string[] {
    return (this.text(name) ?? '').split(',').flatMap((one) => one.trim() || []);
  }

  choice<T extends string>(name: string, choices: readonly T[], fallback: T): T {
    const text = this.text(name);
    if (text === undefined) return fallback;
    const chosen = choices.find((one) => one === text);
    if (chosen === undefined) this.#warn(name, text, fallback);
    return chosen ?? fallback;
  }

  number(name: string, fallback: number): number {
    const text = this.text(name);
    const value = Number(text);
    if (text === undefined) return fallback;
    if (Number.isSafeInteger(value) && value > 0) return value;
    this.#warn(name, text, fallback);
    return fallback;
  }

  ratio(name: string): number {
    const text = this.text(name);
    const value = Number(text ?? 1);
    if (value >= 0 && value <= 1) return value;
    this.#warn(name, text ?? '', 1);
    return 1;
  }

  #warn(name: string, text: string, fallback: string | number): void {
    this.warnings.push(`${name} does not support \`${text}\`. The value \`${fallback}\` is used.`);
  }
}
