import { readMeta, writeMeta } from './migrations.ts';
import { ROLLUP_HOURS, ROLLUPS } from './columns.ts';
import { type SqlSession, toNumber } from './sql-database.ts';
import { HOUR_MS } from './stored-entry.ts';

/** Small enough that new entries and reports wait only for milliseconds. */
const MAX_DELETED = 1_000;

/** Deletes some entries, and an hour or a day of each rollup. Returns how many of both. Must run in a write transaction. */
export async function deleteBefore(sql: SqlSession, times: { entries: number; rollups: number }): Promise<number> {
  // An hour has all of its entries or is older than `entries_from`. Queries rely on this.
  const before = Math.max(0, Math.floor(times.entries / HOUR_MS) * HOUR_MS);
  const from = (await readMeta(sql, 'entries_from')) ?? 0;
  if (before > from) await writeMeta(sql, 'entries_from', before);
  let deleted = await deleteEntries(sql, before);
  // Hours are deleted with their day, so that both tables have the same sums.
  const day = Math.floor(times.rollups / HOUR_MS / ROLLUP_HOURS.day) * ROLLUP_HOURS.day;
  for (const { tables } of ROLLUPS)
    for (const table of Object.values(tables)) if (await deleteOldest(sql, table, day)) deleted += 1;
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
