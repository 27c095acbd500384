import type { Attributes, Counter, Histogram, Meter } from '@opentelemetry/api';
import type { TokenUsage } from '../tracing.ts';
import type { GenAiNames } from './genai-names.ts';

/** The buckets that the conventions recommend. */
const TOKEN_BUCKETS = [
  1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864,
];
const DURATION_BUCKETS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const FIRST_TOKEN_BUCKETS = [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
/** Of tokens and of chunks. */
const PER_TOKEN_BUCKETS = [0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5];

const COUNTED = [
  ['input_tokens', 'inputTokens'],
  ['output_tokens', 'outputTokens'],
  ['cache_read.input_tokens', 'cachedTokens'],
  ['cache_write.input_tokens', 'cacheWriteTokens'],
  ['reasoning.output_tokens', 'reasoningTokens'],
] as const;

/** Durations in seconds. A duration is undefined if the response was not streamed. */
export interface Measured {
  seconds: number;
  secondsToFirst: number | undefined;
  usage: TokenUsage | undefined;
}

/** The GenAI metrics of calls to upstreams (`client`) and of requests to the gateway (`server`). */
export class GenAiMetrics {
  readonly #recordTokens: (usage: TokenUsage, attributes: Attributes) => void;
  readonly #callDuration: Histogram;
  readonly #callFirstChunk: Histogram;
  readonly #callPerChunk: Histogram;
  readonly #requestDuration: Histogram;
  readonly #requestFirstToken: Histogram;
  readonly #perToken: Histogram;

  constructor(meter: Meter, names: GenAiNames) {
    const seconds = (name: string, description: string, explicitBucketBoundaries: number[]): Histogram =>
      meter.createHistogram(name, { unit: 's', description, advice: { explicitBucketBoundaries } });
    this.#recordTokens = names.tokens === 'by-name' ? tokensByName(meter) : tokensByAttribute(meter);
    this.#callDuration = seconds(names.duration, 'Duration of a call to an upstream.', DURATION_BUCKETS);
    this.#callFirstChunk = seconds(
      names.timeToFirstChunk,
      'Time from the call of an upstream to the first event of its stream.',
      FIRST_TOKEN_BUCKETS,
    );
    this.#callPerChunk = seconds(
      names.timePerChunk,
      'Time between two chunks of a stream, from the second chunk on.',
      PER_TOKEN_BUCKETS,
    );
    this.#requestDuration = seconds('gen_ai.server.request.duration', 'Duration of a request.', DURATION_BUCKETS);
    this.#requestFirstToken = seconds(
      'gen_ai.server.time_to_first_token',
      'Time from a request to the first event of its stream.',
      FIRST_TOKEN_BUCKETS,
    );
    this.#perToken = seconds(
      'gen_ai.server.time_per_output_token',
      'Time per output token after the first one.',
      PER_TOKEN_BUCKETS,
    );
  }

  recordCall({ seconds, secondsToFirst, usage }: Measured, attributes: Attributes): void {
    this.#callDuration.record(seconds, attributes);
    if (secondsToFirst !== undefined) this.#callFirstChunk.record(secondsToFirst, attributes);
    if (usage) this.#recordTokens(usage, attributes);
  }

  recordChunk(seconds: number, attributes: Attributes): void {
    this.#callPerChunk.record(seconds, attributes);
  }

  recordRequest({ seconds, secondsToFirst, usage }: Measured, attributes: Attributes): void {
    this.#requestDuration.record(seconds, attributes);
    if (secondsToFirst === undefined) return;
    this.#requestFirstToken.record(secondsToFirst, attributes);
    const laterTokens = (usage?.outputTokens ?? 0) - 1;
    if (laterTokens > 0) this.#perToken.record((seconds - secondsToFirst) / laterTokens, attributes);
  }
}

function tokenHistogram(meter: Meter, name: string, description: string): Histogram {
  return meter.createHistogram(name, {
    unit: '{token}',
    description,
    advice: { explicitBucketBoundaries: TOKEN_BUCKETS },
  });
}

function tokensByAttribute(meter: Meter): (usage: TokenUsage, attributes: Attributes) => void {
  const histogram = tokenHistogram(meter, 'gen_ai.client.token.usage', 'Tokens of a call to an upstream.');
  return (usage, attributes) => {
    histogram.record(usage.inputTokens, { ...attributes, 'gen_ai.token.type': 'input' });
    histogram.record(usage.outputTokens, { ...attributes, 'gen_ai.token.type': 'output' });
  };
}

function tokensByName(meter: Meter): (usage: TokenUsage, attributes: Attributes) => void {
  const counters = COUNTED.map(([name, field]): [Counter, keyof TokenUsage] => [
    meter.createCounter(`gen_ai.client.inference.usage.${name}`, { unit: '{token}' }),
    field,
  ]);
  const perCall = 'Tokens of a call to an upstream.';
  const input = tokenHistogram(meter, 'gen_ai.client.inference.operation.input_tokens', perCall);
  const output = tokenHistogram(meter, 'gen_ai.client.inference.operation.output_tokens', perCall);
  return (usage, attributes) => {
    for (const [counter, field] of counters) {
      const tokens = usage[field];
      if (tokens !== undefined) counter.add(tokens, attributes);
    }
    input.record(usage.inputTokens, attributes);
    output.record(usage.outputTokens, attributes);
  };
}
