import type { FallbackList, UsageList } from '@sluice/api/responses';
import type { Period } from '../../lib/periods.ts';

type UsageRow = UsageList['data'][number];

const DAY_S = 86_400;

/** Adds failed calls to the rows of their upstream and hour or day. */
export function withFallbacks(
  rows: readonly UsageRow[],
  fallbacks: FallbackList['data'],
  unit: Period['unit'],
): UsageRow[] {
  const sums = new Map(rows.map((row) => [`${Date.parse(row[unit] ?? '')} ${row.upstream}`, row]));
  for (const { upstream, start_time: at, failures } of fallbacks) {
    const seconds = unit === 'day' ? at - (at % DAY_S) : at;
    const key = `${seconds * 1_000} ${upstream}`;
    const row = sums.get(key) ?? { upstream, [unit]: new Date(seconds * 1_000).toISOString() };
    sums.set(key, { ...row, requests: (row.requests ?? 0) + failures, errors: (row.errors ?? 0) + failures });
  }
  return [...sums.values()];
}
