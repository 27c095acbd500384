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

const VALUES = {
  requests: ({ requests }) => requests,
  tasks: ({ tasks }) => tasks,
  errors: ({ errors }) => errors,
  unpriced: ({ unpriced }) => unpriced,
  input_tokens: ({ inputTokens }) => inputTokens,
  cached_tokens: ({ cachedTokens }) => cachedTokens,
  cache_write_tokens: ({ cacheWriteTokens }) => cacheWriteTokens,
  output_tokens: ({ outputTokens }) => outputTokens,
  reasoning_tokens: ({ reasoningTokens }) => reasoningTokens,
  audio_input_tokens: ({ audioInputTokens }) => audioInputTokens,
  audio_output_tokens: ({ audioOutputTokens }) => audioOutputTokens,
  audio_seconds: ({ audioMs }) => audioMs / 1_000,
  characters: ({ characters }) => characters,
  searches: ({ searches }) => searches,
  images: ({ images }) => images,
  video_seconds: ({ videoMs }) => videoMs / 1_000,
  duration_ms: ({ durationMs }) => durationMs,
  cost_usd: ({ costNanos }) => dollarsOf(costNanos),
} as const satisfies Record<string, (sums: UsageSums) => number>;

/** A sum in a report, under its name in JSON and CSV. */
export type UsageField = keyof typeof VALUES;

// The cast is safe because `Object.keys` returns the names of the object's own fields.
export const USAGE_FIELDS = Object.keys(VALUES) as UsageField[];

/** Fields that each row has, with any metric. */
const ALWAYS: readonly UsageField[] = ['requests', 'input_tokens', 'output_tokens', 'cost_usd'];

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
  return VALUES[field](sums);
}
