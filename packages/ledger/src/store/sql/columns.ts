import { isUnpriced } from '../../entry/is-unpriced.ts';
import { isLateUsage } from '../../entry/late-usage.ts';
import type { LedgerEntry } from '../../entry/ledger-entry.ts';
import type { UsageDimension, UsageSums } from '../ledger-store.ts';

/** The column of each sum. Entries and rollups have the same columns, so that both are added in the same way. */
export const SUM_COLUMNS = {
  requests: 'requests',
  tasks: 'tasks',
  errors: 'errors',
  unpriced: 'unpriced',
  costNanos: 'cost_nanos',
  inputTokens: 'input_tokens',
  cachedTokens: 'cached_tokens',
  cacheWriteTokens: 'cache_write_tokens',
  outputTokens: 'output_tokens',
  reasoningTokens: 'reasoning_tokens',
  audioInputTokens: 'audio_input_tokens',
  audioOutputTokens: 'audio_output_tokens',
  audioMs: 'audio_ms',
  characters: 'characters',
  searches: 'searches',
  images: 'images',
  videoMs: 'video_ms',
  durationMs: 'duration_ms',
} as const satisfies Record<keyof UsageSums, string>;

// The cast is safe because these are the object's own keys.
export const SUM_NAMES = Object.keys(SUM_COLUMNS) as (keyof UsageSums)[];

/** The column of each dimension. `key` and `user` are reserved words in SQL. */
export const DIMENSION_COLUMNS = {
  key: 'key_name',
  model: 'model',
  upstream: 'upstream',
  endpoint: 'endpoint',
  user: 'user_name',
  label: 'label',
} as const satisfies Record<Exclude<UsageDimension, 'day' | 'hour'>, string>;

export type StoredDimension = keyof typeof DIMENSION_COLUMNS;

const TOTAL_DIMENSIONS = ['key', 'model', 'upstream', 'endpoint'] as const;

/** Sums by some dimensions. A query uses the first that has its dimensions, because the first are the smallest. */
export interface Rollup {
  /** Tables by hour and by day, both in UTC. Both have a column `hour`; for a day, it is the first hour. */
  tables: { hour: string; day: string };
  dimensions: readonly StoredDimension[];
}

export const ROLLUPS: readonly Rollup[] = [
  rollup('totals', TOTAL_DIMENSIONS),
  rollup('users', [...TOTAL_DIMENSIONS, 'user']),
  rollup('labels', [...TOTAL_DIMENSIONS, 'label']),
  rollup('label_users', [...TOTAL_DIMENSIONS, 'user', 'label']),
];

function rollup(name: string, dimensions: readonly StoredDimension[]): Rollup {
  return { tables: { hour: `ledger_hourly_${name}`, day: `ledger_daily_${name}` }, dimensions };
}

/** The hours of each row. */
export const ROLLUP_HOURS = { hour: 1, day: 24 } as const;
export type RollupUnit = keyof typeof ROLLUP_HOURS;

// The cast is safe because these are the object's own keys.
export const ROLLUP_UNITS = Object.keys(ROLLUP_HOURS) as RollupUnit[];

/** More would be an error of an upstream. The sum of nine million such values still is a 64-bit integer. */
const MAX_QUANTITY = 1e12;
const MAX_NANOS = 1e15;

export function sumsOf(entry: LedgerEntry): UsageSums {
  const { usage = {}, type, status } = entry;
  const isError = typeof status === 'number' ? status >= 400 : status === 'failed';
  return {
    requests: type === 'request' && !isLateUsage(entry) ? 1 : 0,
    tasks: type === 'task' ? 1 : 0,
    errors: isError ? 1 : 0,
    unpriced: isUnpriced(entry) ? 1 : 0,
    costNanos: quantity(entry.costNanos, MAX_NANOS),
    inputTokens: quantity(usage.inputTokens),
    cachedTokens: quantity(usage.cachedTokens),
    cacheWriteTokens: quantity(usage.cacheWriteTokens),
    outputTokens: quantity(usage.outputTokens),
    reasoningTokens: quantity(usage.reasoningTokens),
    audioInputTokens: quantity(usage.audioInputTokens),
    audioOutputTokens: quantity(usage.audioOutputTokens),
    audioMs: quantity((usage.audioSeconds ?? 0) * 1_000),
    characters: quantity(usage.characters),
    searches: quantity(usage.searches),
    images: quantity(usage.images),
    videoMs: quantity((usage.videoSeconds ?? 0) * 1_000),
    durationMs: quantity(entry.durationMs),
  };
}

function quantity(value = 0, max = MAX_QUANTITY): number {
  return value > 0 ? Math.min(Math.round(value), max) : 0;
}
