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

/** The hours of each row, in UTC. Weeks begin on Thursdays, like Unix time. */
export const ROLLUP_HOURS = { hour: 1, day: 24, week: 168 } as const;
export type RollupUnit = keyof typeof ROLLUP_HOURS;

// The cast is safe because these are the object's own keys.
export const ROLLUP_UNITS = Object.keys(ROLLUP_HOURS) as RollupUnit[];

const PREFIXES = { hour: 'ledger_hourly', day: 'ledger_daily', week: 'ledger_weekly' } as const;

/** Sums by some dimensions. A query uses the first that has its dimensions, because the first are the smallest. */
export interface Rollup {
  /** A table for each unit. All have a column `hour`; for a day and a week, it is the first hour. */
  tables: Partial<Record<RollupUnit, string>>;
  dimensions: readonly StoredDimension[];
}

/** Of the first version of the tables. The tables by week are of a later one. */
export const FIRST_ROLLUPS = [
  rollup('totals', TOTAL_DIMENSIONS, ['hour', 'day']),
  rollup('users', [...TOTAL_DIMENSIONS, 'user'], ['hour', 'day', 'week']),
  rollup('labels', [...TOTAL_DIMENSIONS, 'label'], ['hour', 'day', 'week']),
  rollup('label_users', [...TOTAL_DIMENSIONS, 'user', 'label'], ['hour', 'day']),
] as const satisfies Rollup[];

/** With few dimensions, for reports over a long time. Each is the sum of one of the first. */
export const SMALL_ROLLUPS = [
  { from: 'totals', ...rollup('all', [], ['hour', 'day']) },
  { from: 'users', ...rollup('key_users', ['key', 'user'], ['hour', 'day']) },
  { from: 'labels', ...rollup('key_labels', ['key', 'label'], ['hour', 'day']) },
] as const satisfies (Rollup & { from: string })[];

/** Without hours, of which it would have almost as many rows as `label_users`. */
export const USER_LABELS = rollup('user_labels', ['key', 'user', 'label'], ['day', 'week']);

export const ROLLUPS: readonly Rollup[] = [...SMALL_ROLLUPS, USER_LABELS, ...FIRST_ROLLUPS];

function rollup<const U extends RollupUnit>(
  name: string,
  dimensions: readonly StoredDimension[],
  units: readonly U[],
): { tables: Record<U, string>; dimensions: readonly StoredDimension[] } {
  const tables = Object.fromEntries(units.map((unit) => [unit, `${PREFIXES[unit]}_${name}`]));
  return { tables: tables as Record<U, string>, dimensions }; // The cast is safe because the table has all units.
}

/** More would be an error of an upstream. The sum of nine million such values still is a 64-bit integer. */
const MAX_QUANTITY = 1e12;
const MAX_NANOS = 1e15;

export function sumsOf(entry: LedgerEntry): UsageSums {
  const { usage = {}, type } = entry;
  return {
    requests: type === 'request' && !isLateUsage(entry) ? 1 : 0,
    tasks: type === 'task' ? 1 : 0,
    errors: isError(entry) ? 1 : 0,
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

/** A stream can fail after its status was sent. A client that disconnects is no error. */
function isError({ status, errorCode = 'aborted' }: LedgerEntry): boolean {
  return typeof status === 'number' ? status >= 400 || errorCode !== 'aborted' : status === 'failed';
}

function quantity(value = 0, max = MAX_QUANTITY): number {
  return value > 0 ? Math.min(Math.round(value), max) : 0;
}
