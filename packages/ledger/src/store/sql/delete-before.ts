import { readMeta, writeMeta } from './migrations.ts';
import { ROLLUP_HOURS, ROLLUP_UNITS, ROLLUPS } from './columns.ts';
import { FALLBACKS } from './fallbacks.ts';
import { type SqlSession, toNumber } from './sql-database.ts';
import { HOUR_MS } from './stored-entry.ts';

/** Small enough that new entries and reports wait only for milliseconds. */
const MAX_DELETED = 1_000;

/** Deletes some entries, and an hour, a day, or a week of each rollup. Returns how many of both. Must run in a write transaction. */
export async function deleteBefore(sql: SqlSession, times: { entries: number; rollups: number }): Promise<number> {
  // An hour has all of its entries or is older than `entries_from`. Queries rely on this.
  const before = Math.max(0, Math.floor(times.entries / HOUR_MS) * HOUR_MS);
  const from = (await readMeta(sql, 'entries_from')) ?? 0;
  if (before > from) await writeMeta(sql, 'entries_from', before);
  let deleted = await deleteEntries(sql, before);
  // Hours are deleted with their day, so that both tables have the same sums.
  const day = Math.floor(times.rollups / HOUR_MS / ROLLUP_HOURS.day) * ROLLUP_HOURS.day;
  if (await deleteOldest(sql, FALLBACKS, day)) deleted += 1;
  for (const { tables } of ROLLUPS) {
    for (const unit of ROLLUP_UNITS) {
      const { [unit]: table } = tables;
      // A week is deleted when all of its days are, because its row cannot be computed again.
      if (table !== undefined && (await deleteOldest(sql, table, day - (day % ROLLUP_HOURS[unit])))) deleted += 1;
    }
  }
  return deleted;
}

async function deleteEntries(sql: SqlSession, before: number): Promise<number> {
  const values = [before, MAX_DELETED];
  const rows = await sql.all('SELECT at, id FROM ledger_entries WHERE at < ? ORDER BY at, id LIMIT ?', values);
  const last = rows.at(-1);
  if (!last) return 0;
  const position = [toNumber(last['at']), String(last['id'])];
  for (const table of ['ledger_entries', 'ledger_entry_labels'])
    await sql.all(`DELETE FROM ${table} WHERE (at, id) <= (?, ?)`, position);
  return rows.length;
}

/** Deletes the rows of the oldest hour or day, if it is before the hour `before`. Returns whether it was. */
async function deleteOldest(sql: SqlSession, table: string, before: number): Promise<boolean> {
  const [row] = await sql.all(`SELECT min(hour) AS hour FROM ${table}`);
  const hour = row?.['hour'] ?? null;
  if (hour === null || toNumber(hour) >= before) return false;
  await sql.all(`DELETE FROM ${table} WHERE hour = ?`, [toNumber(hour)]);
  return true;
}
