import type { LedgerEntry } from '../../entry/ledger-entry.ts';
import type { UsageSums } from '../ledger-store.ts';
import {
  DIMENSION_COLUMNS,
  type Rollup,
  ROLLUP_HOURS,
  ROLLUP_UNITS,
  ROLLUPS,
  type RollupUnit,
  SUM_COLUMNS,
  SUM_NAMES,
} from './columns.ts';
import { addFallbacks } from './fallbacks.ts';
import type { Column, SqlSession } from './sql-database.ts';
import { columnText, type StoredEntry, storedEntry } from './stored-entry.ts';

const text = (name: string): Column => ({ name, type: 'text' });
const integer = (name: string): Column => ({ name, type: 'integer' });

const ENTRY_COLUMNS = [
  text('id'),
  integer('at'),
  ...['request_id', 'task_id', 'key_name', 'model', 'upstream', 'endpoint', 'user_name', 'status'].map(text),
  ...Object.values(SUM_COLUMNS).map(integer),
  integer('first_event_ms'),
  text('entry'),
];

/** Adds the entries whose ids are new, and their rollups. Must run in a write transaction. */
export async function addEntries(sql: SqlSession, entries: readonly LedgerEntry[]): Promise<void> {
  const stored = new Map(
    entries
      .toReversed()
      .map(storedEntry)
      .map((entry) => [entry.id, entry]),
  );
  const rows = await sql.insert({
    table: 'ledger_entries',
    columns: ENTRY_COLUMNS,
    rows: [...stored.values()].map(entryRow),
    suffix: 'ON CONFLICT DO NOTHING RETURNING id',
  });
  const added = rows.flatMap(({ id }) => stored.get(String(id)) ?? []);
  if (added.length === 0) return;
  await sql.insert({
    table: 'ledger_entry_labels',
    columns: [integer('at'), text('id'), text('label')],
    rows: added.flatMap(({ entry, id, labels }) => labels.map((label) => [entry.at, id, label])),
    suffix: 'ON CONFLICT DO NOTHING',
  });
  await addFallbacks(sql, added);
  for (const { tables, dimensions } of ROLLUPS) {
    for (const unit of ROLLUP_UNITS) {
      const { [unit]: table } = tables;
      if (table !== undefined) await addRollup(sql, { table, dimensions, unit }, added);
    }
  }
}

function entryRow({ id, entry, dimensions, sums }: StoredEntry): (string | number | null)[] {
  return [
    id,
    entry.at,
    entry.requestId === undefined ? null : columnText(entry.requestId),
    entry.taskId === undefined ? null : columnText(entry.taskId),
    dimensions.key,
    dimensions.model,
    dimensions.upstream,
    dimensions.endpoint,
    dimensions.user,
    columnText(String(entry.status)),
    ...SUM_NAMES.map((name) => sums[name]),
    entry.firstEventMs === undefined ? null : Math.round(entry.firstEventMs),
    JSON.stringify(entry),
  ];
}

async function addRollup(
  sql: SqlSession,
  { table, dimensions, unit }: Pick<Rollup, 'dimensions'> & { table: string; unit: RollupUnit },
  added: readonly StoredEntry[],
): Promise<void> {
  const { [unit]: hours } = ROLLUP_HOURS;
  const groups = new Map<string, { key: (string | number)[]; sums: UsageSums }>();
  for (const stored of added) {
    const labels = dimensions.includes('label') && stored.labels.length > 0 ? stored.labels : [''];
    for (const label of labels) {
      const values = { ...stored.dimensions, label };
      const key = [stored.hour - (stored.hour % hours), ...dimensions.map((dimension) => values[dimension])];
      const name = JSON.stringify(key);
      const group = groups.get(name);
      if (group) addSums(group.sums, stored.sums);
      else groups.set(name, { key, sums: { ...stored.sums } });
    }
  }
  const columns = dimensions.map((dimension) => DIMENSION_COLUMNS[dimension]);
  const sums = Object.values(SUM_COLUMNS);
  await sql.insert({
    table,
    columns: [integer('hour'), ...columns.map(text), ...sums.map(integer)],
    rows: [...groups.values()].map((group) => group.key.concat(SUM_NAMES.map((name) => group.sums[name]))),
    suffix: `ON CONFLICT (${['hour', ...columns].join(', ')}) DO UPDATE SET ${sums
      .map((column) => `${column} = ${table}.${column} + excluded.${column}`)
      .join(', ')}`,
  });
}

export function addSums(to: UsageSums, sums: UsageSums): void {
  for (const name of SUM_NAMES) to[name] += sums[name];
}
