import type { LedgerStore, UsageDimension, UsageRow } from '../store/ledger-store.ts';
import { encodeGroupCursor } from './group-cursor.ts';
import type { UsageReport } from './parse-usage-report.ts';
import { type UsageField, fieldsOf, fieldValue, sumsOfMetrics } from './usage-metrics.ts';

export interface UsagePage {
  rows: UsageRow[];
  /** The cursor of the next page, if there is one. */
  next?: string;
}

/** A report as JSON. Rows have the dimensions and the sums as fields. A dimension that an entry lacks is null. */
export interface ShownUsage {
  object: 'list';
  data: ShownUsageRow[];
  has_more: boolean;
  /** `after` of the next page. */
  next?: string;
  /** Unix seconds. */
  start_time: number;
  end_time: number;
}

type ShownUsageRow = Partial<Record<UsageDimension, string | null> & Record<UsageField, number>>;

/** Reads a page of a report with one query. It reads one more row, to know whether there is a next page. */
export async function readUsagePage(
  store: Pick<LedgerStore, 'usage'>,
  { query, limit, metrics }: UsageReport,
): Promise<UsagePage> {
  const found = await store.usage({ ...query, sums: sumsOfMetrics(metrics), limit: limit + 1 });
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  if (found.length <= limit || !last) return { rows };
  return { rows, next: encodeGroupCursor(query.groupBy, last.group) };
}

/** Encodes a page for the API. The period is in Unix seconds. */
export function showUsagePage({ rows, next }: UsagePage, { query, metrics }: UsageReport): ShownUsage {
  const fields = fieldsOf(metrics);
  const data = rows.map((row) => ({
    ...Object.fromEntries(query.groupBy.map((dimension) => [dimension, row.group[dimension] || null])),
    ...Object.fromEntries(fields.map((field) => [field, fieldValue(row, field)])),
  }));
  return {
    object: 'list',
    data,
    has_more: next !== undefined,
    ...(next !== undefined && { next }),
    start_time: query.start / 1_000,
    end_time: query.end / 1_000,
  };
}
