import type { UsageSums } from '../store/ledger-store.ts';
import { dollarsOf } from './dollars.ts';

export const USAGE_METRICS = [
  'requests',
  'tasks',
  'errors',
  'unpriced',
  'cost',
  'tokens',
  'audio',
  'characters',
  'searches',
  'images',
  'video_seconds',
  'duration',
] as const;
export type UsageMetric = (typeof USAGE_METRICS)[number];

/** The sum of each field. */
const SUM_OF = {
  requests: 'requests',
  tasks: 'tasks',
  errors: 'errors',
  unpriced: 'unpriced',
  input_tokens: 'inputTokens',
  cached_tokens: 'cachedTokens',
  cache_write_tokens: 'cacheWriteTokens',
  output_tokens: 'outputTokens',
  reasoning_tokens: 'reasoningTokens',
  audio_input_tokens: 'audioInputTokens',
  audio_output_tokens: 'audioOutputTokens',
  audio_seconds: 'audioMs',
  characters: 'characters',
  searches: 'searches',
  images: 'images',
  video_seconds: 'videoMs',
  duration_ms: 'durationMs',
  cost_usd: 'costNanos',
} as const satisfies Record<string, keyof UsageSums>;

/** A sum in a report, under its name in JSON and CSV. */
export type UsageField = keyof typeof SUM_OF;

// The cast is safe because `Object.keys` returns the names of the object's own fields.
export const USAGE_FIELDS = Object.keys(SUM_OF) as UsageField[];

/** Fields that each row has, with any metric. */
const ALWAYS: readonly UsageField[] = ['requests', 'unpriced', 'input_tokens', 'output_tokens', 'cost_usd'];

const FIELDS_OF: Readonly<Record<UsageMetric, readonly UsageField[]>> = {
  requests: ['requests'],
  tasks: ['tasks'],
  errors: ['errors'],
  unpriced: ['unpriced'],
  cost: ['cost_usd'],
  tokens: ['input_tokens', 'cached_tokens', 'cache_write_tokens', 'output_tokens', 'reasoning_tokens'],
  audio: ['audio_input_tokens', 'audio_output_tokens', 'audio_seconds'],
  characters: ['characters'],
  searches: ['searches'],
  images: ['images'],
  video_seconds: ['video_seconds'],
  duration: ['duration_ms'],
};

/** Returns the fields of a report's rows, in their order. */
export function fieldsOf(metrics: readonly UsageMetric[]): UsageField[] {
  const wanted = new Set([...ALWAYS, ...metrics.flatMap((metric) => FIELDS_OF[metric])]);
  return USAGE_FIELDS.filter((field) => wanted.has(field));
}

/** Returns the field that shows a metric best. */
export function mainFieldOf(metric: UsageMetric): UsageField {
  const [first = 'requests'] = FIELDS_OF[metric];
  return first;
}

export function fieldValue(sums: UsageSums, field: UsageField): number {
  const { [SUM_OF[field]]: value } = sums;
  if (field === 'cost_usd') return dollarsOf(value);
  return field === 'audio_seconds' || field === 'video_seconds' ? value / 1_000 : value;
}

/** Returns the sums of a report's rows. */
export function sumsOfMetrics(metrics: readonly UsageMetric[]): (keyof UsageSums)[] {
  return fieldsOf(metrics).map((field) => SUM_OF[field]);
}
