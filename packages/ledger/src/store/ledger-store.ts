import type { LedgerEntry } from '../entry/ledger-entry.ts';

/** Stores entries with rollups by hour and by day. SQLite and PostgreSQL implement it. All methods reject if the database is unavailable. */
export interface LedgerStore {
  /** Adds entries and their rollups in one transaction. Entries that are already stored are ignored. */
  add(entries: readonly LedgerEntry[]): Promise<void>;
  usage(query: UsageQuery): Promise<UsageRow[]>;
  entries(query: EntriesQuery): Promise<EntriesPage>;
  /** Counts entries over time, in ascending order. Bars without entries are omitted. */
  histogram(query: HistogramQuery): Promise<HistogramBar[]>;
  /** Counts failed attempts of requests after which another attempt followed, by hour and upstream, in this order. */
  fallbacks(query: PeriodQuery): Promise<FallbackFailures[]>;
  /**
   * Deletes some of the entries and rollups before these times, in Unix milliseconds, so that other calls do not wait
   * long. Returns 0 if nothing is left to delete.
   */
  deleteBefore(times: { entries: number; rollups: number }): Promise<number>;
  close(): Promise<void>;
}

export const USAGE_DIMENSIONS = ['key', 'model', 'upstream', 'endpoint', 'user', 'label', 'day', 'hour'] as const;
export type UsageDimension = (typeof USAGE_DIMENSIONS)[number];

export interface UsageQuery {
  /** Unix milliseconds; `end` is exclusive. */
  start: number;
  end: number;
  /** At most five; the usage endpoint accepts two and a unit of time. Rows are sorted by these values, in ascending order. */
  groupBy: readonly UsageDimension[];
  /** An IANA name, for `day` and `hour`. */
  timeZone: string;
  /** Exact values, of which one must match. A `label` is `name=value`. An entry counts for each of its labels that match. */
  filters: Partial<Record<UsageFilter, string | readonly string[]>>;
  /** The sums to compute, because fewer take less time. The others are 0. Default: all. */
  sums?: readonly (keyof UsageSums)[];
  /** Maximum number of rows. */
  limit?: number;
  /** Continues after this group, the last one of a previous page. */
  after?: UsageRow['group'];
}

export type UsageFilter = Exclude<UsageDimension, 'day' | 'hour'>;

/** Sums of one group. `group` has the value of each dimension; a day is `YYYY-MM-DD`, an hour is in RFC 3339 format. */
export interface UsageRow extends UsageSums {
  group: Partial<Record<UsageDimension, string>>;
}

export interface UsageSums {
  requests: number;
  tasks: number;
  /** Requests with a status of at least 400, streams that failed later, and failed tasks. */
  errors: number;
  /** Entries with an unknown price. */
  unpriced: number;
  costNanos: number;
  inputTokens: number;
  cachedTokens: number;
  cacheWriteTokens: number;
  outputTokens: number;
  reasoningTokens: number;
  audioInputTokens: number;
  audioOutputTokens: number;
  /** Audio input that is billed by time. */
  audioMs: number;
  characters: number;
  searches: number;
  images: number;
  videoMs: number;
  durationMs: number;
}

export interface EntriesQuery {
  start?: number;
  end?: number;
  filters: EntryFilters;
  /** Newest first. Continues after this position, which a previous page returned. */
  after?: string;
  limit: number;
}

export interface EntryFilters {
  /** Finds the entry by its id, its request id, or its task id. */
  id?: string;
  /** A range of request ids, compared by their bytes. `end` is exclusive. */
  requestIds?: { first: string; end: string };
  key?: string;
  model?: string;
  upstream?: string;
  user?: string;
  label?: string;
  type?: LedgerEntry['type'];
  /** `ok` or `error`, or an exact HTTP status or task state. */
  status?: string;
  minCostNanos?: number;
  minDurationMs?: number;
  /** Time to the first event. Entries that an older version stored never match. */
  minFirstEventMs?: number;
}

export interface HistogramQuery {
  /** Unix milliseconds; `end` is exclusive. */
  start: number;
  end: number;
  /** The time of one bar. Bars begin at its multiples, so the first one can begin before `start`. */
  stepMs: number;
  filters: EntryFilters;
}

export interface PeriodQuery {
  /** Unix milliseconds; `end` is exclusive. Parts of hours count as full hours. */
  start: number;
  end: number;
}

export interface FallbackFailures {
  /** The start of the hour, in Unix milliseconds. */
  at: number;
  /** The upstream whose attempts failed. */
  upstream: string;
  failures: number;
}

export interface HistogramBar {
  /** The start of the bar, in Unix milliseconds. */
  at: number;
  entries: number;
  /** Entries with an error. */
  errors: number;
}

export interface EntriesPage {
  entries: LedgerEntry[];
  /** The position after the last entry, if there are more. */
  next?: string;
}
