import type { LedgerEntry } from '../../entry/ledger-entry.ts';
import type { FallbackFailures, PeriodQuery } from '../ledger-store.ts';
import { type SqlSession, toNumber } from './sql-database.ts';
import { columnText, HOUR_MS, type StoredEntry } from './stored-entry.ts';

/** Failures by hour and upstream, after which another attempt followed. */
export const FALLBACKS = 'ledger_hourly_fallbacks';

/** Results of attempts that are no failures of their upstream. The last four are of targets that were not called. */
const NO_FAILURES: ReadonlySet<string> = new Set(
  'served,hedged,aborted,unsupported,circuit_open,no_credential,retry_budget'.split(','),
);

/** Returns the upstreams of failed attempts, except the last attempt, whose failure is the error of the request. */
function failedUpstreams({ type, attempts = [] }: LedgerEntry): string[] {
  if (type !== 'request') return [];
  const called = attempts.filter(({ result }) => result === 'served' || !NO_FAILURES.has(result));
  return called.slice(0, -1).flatMap(({ upstream, result }) => (NO_FAILURES.has(result) ? [] : [upstream]));
}

/** Adds the failures of new entries. Must run in a write transaction. */
export async function addFallbacks(sql: SqlSession, added: readonly StoredEntry[]): Promise<void> {
  const counts = new Map<string, { hour: number; upstream: string; failures: number }>();
  for (const { entry, hour } of added) {
    for (const upstream of failedUpstreams(entry).map(columnText)) {
      const count = counts.get(`${hour} ${upstream}`) ?? { hour, upstream, failures: 0 };
      count.failures += 1;
      counts.set(`${hour} ${upstream}`, count);
    }
  }
  if (counts.size === 0) return;
  await sql.insert({
    table: FALLBACKS,
    columns: [
      { name: 'hour', type: 'integer' },
      { name: 'upstream', type: 'text' },
      { name: 'failures', type: 'integer' },
    ],
    rows: [...counts.values()].map(({ hour, upstream, failures }) => [hour, upstream, failures]),
    suffix: `ON CONFLICT (hour, upstream) DO UPDATE SET failures = ${FALLBACKS}.failures + excluded.failures`,
  });
}

/** Must run in a read transaction. */
export async function queryFallbacks(sql: SqlSession, { start, end }: PeriodQuery): Promise<FallbackFailures[]> {
  const text = `SELECT hour, upstream, failures FROM ${FALLBACKS} WHERE hour >= ? AND hour < ? ORDER BY hour, upstream`;
  const rows = await sql.all(text, [Math.floor(start / HOUR_MS), Math.ceil(end / HOUR_MS)]);
  return rows.map(({ hour, upstream, failures }) => ({
    at: toNumber(hour) * HOUR_MS,
    upstream: String(upstream),
    failures: toNumber(failures),
  }));
}
