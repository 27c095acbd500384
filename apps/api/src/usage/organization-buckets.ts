import { invalidParam, MAX_ROWS, type UsageDimension, type UsageRow } from '@sluice/ledger';
import type { LedgerReader } from '../metering/ledger-reader.ts';
import type { BucketsQuery } from './organization-query.ts';
import type { Group, UsageKind } from './organization-kinds.ts';

const DIMENSIONS: Partial<Record<Group, UsageDimension>> = {
  user_id: 'user',
  api_key_id: 'key',
  model: 'model',
  line_item: 'model',
};

/** Reads the sums of a page of buckets with one query. */
export async function readBuckets(ledger: LedgerReader, kind: UsageKind, query: BucketsQuery): Promise<object[]> {
  const rows = await readRows(ledger, kind, query);
  const time = query.widthMs === HOUR_MS ? 'hour' : 'day';
  const byStart = Map.groupBy(rows, ({ group }) => Date.parse(group[time] ?? ''));
  return Array.from({ length: (query.end - query.start) / query.widthMs }, (_, index) => {
    const start = query.start + index * query.widthMs;
    const results = (byStart.get(start) ?? []).map((row) => showResult(kind, query, row));
    return { object: 'bucket', start_time: start / 1_000, end_time: (start + query.widthMs) / 1_000, results };
  });
}

const HOUR_MS = 3_600_000;

async function readRows(ledger: LedgerReader, kind: UsageKind, query: BucketsQuery): Promise<UsageRow[]> {
  if (kind.endpoints?.length === 0) return [];
  const groups = query.groups.flatMap((group) => DIMENSIONS[group] ?? []);
  const rows = await ledger.usage({
    start: query.start,
    end: query.end,
    groupBy: [query.widthMs === HOUR_MS ? 'hour' : 'day', ...new Set(groups)],
    timeZone: 'UTC',
    filters: { ...query.filters, ...(kind.endpoints && { endpoint: kind.endpoints }) },
    limit: MAX_ROWS + 1,
  });
  if (rows.length <= MAX_ROWS) return rows;
  throw invalidParam('limit', `must be smaller: these buckets have more than ${MAX_ROWS} results`);
}

/** Groups that were not requested, or that the ledger does not have, are null. */
function showResult(kind: UsageKind, { groups }: BucketsQuery, row: UsageRow): object {
  const valueOf = (group: Group): string | null => {
    const dimension = groups.includes(group) ? DIMENSIONS[group] : undefined;
    return (dimension && row.group[dimension]) || null;
  };
  const object = kind.path === 'costs' ? 'organization.costs.result' : `organization.usage.${kind.result}.result`;
  return {
    object,
    ...kind.fieldsOf(row),
    ...Object.fromEntries(kind.groups.map((group) => [group, valueOf(group)])),
  };
}
