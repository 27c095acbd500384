import type { LedgerEntry } from '../../entry/ledger-entry.ts';
import type { EntriesPage, EntriesQuery, EntryFilters, HistogramBar, HistogramQuery } from '../ledger-store.ts';
import { type SqlSession, toNumber } from './sql-database.ts';
import { columnText } from './stored-entry.ts';

/** `after` is not a position that a page returned. */
export class InvalidPositionError extends Error {
  override name = 'InvalidPositionError';

  constructor() {
    super('The position is invalid. Use a position that an earlier page returned.');
  }
}

type Values = (string | number)[];

type Filters = Required<EntryFilters>;

/** A condition of each filter. Each `?` is a value. */
const CONDITIONS: { readonly [F in keyof Filters]: (value: Filters[F]) => [string, Values] } = {
  id(value) {
    const id = columnText(value);
    return ['e.id IN (SELECT id FROM ledger_entries WHERE id = ? OR request_id = ? OR task_id = ?)', [id, id, id]];
  },
  requestIds: ({ first, end }) => [
    'e.id IN (SELECT id FROM ledger_entries WHERE request_id >= ? AND request_id < ?)',
    [columnText(first), columnText(end)],
  ],
  key: (key) => ['e.key_name = ?', [columnText(key)]],
  model: (model) => ['e.model = ?', [columnText(model)]],
  upstream: (upstream) => ['e.upstream = ?', [columnText(upstream)]],
  // The second condition lets the database use the index of entries with a user.
  user: (user) => ["e.user_name = ? AND e.user_name <> ''", [columnText(user)]],
  label: (label) => [
    'EXISTS (SELECT 1 FROM ledger_entry_labels l WHERE l.label = ? AND l.at = e.at AND l.id = e.id)',
    [columnText(label)],
  ],
  type: (type) => [type === 'task' ? 'e.tasks = 1' : 'e.tasks = 0', []],
  status(status) {
    if (status === 'ok') return ['e.errors = 0', []];
    return status === 'error' ? ['e.errors = 1', []] : ['e.status = ?', [columnText(status)]];
  },
  minCostNanos: (nanos) => ['e.cost_nanos >= ?', [nanos]],
  // Durations are full milliseconds, and PostgreSQL rejects a fraction.
  minFirstEventMs: (ms) => ['e.first_event_ms >= ?', [Math.ceil(ms)]],
  minDurationMs: (ms) => ['e.duration_ms >= ?', [Math.ceil(ms)]],
};

/** @throws {InvalidPositionError} */
export async function queryEntries(sql: SqlSession, query: EntriesQuery): Promise<EntriesPage> {
  const conditions: string[] = [];
  const values: Values = [];
  const add = ([condition, own]: [string, Values]) => {
    conditions.push(condition);
    values.push(...own);
  };
  if (query.start !== undefined) add(['e.at >= ?', [query.start]]);
  if (query.end !== undefined) add(['e.at < ?', [query.end]]);
  if (query.after !== undefined) add(['(e.at, e.id) < (?, ?)', parsePosition(query.after)]);
  for (const condition of filterConditions(query.filters)) add(condition);
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
  // The inner query needs only the columns of an index.
  const found = `SELECT e.id FROM ledger_entries e ${where} ORDER BY e.at DESC, e.id DESC LIMIT ?`;
  const text = `SELECT e.entry FROM ledger_entries e WHERE e.id IN (${found}) ORDER BY e.at DESC, e.id DESC`;
  const rows = await sql.all(text, [...values, query.limit + 1]);
  // The casts are safe because the store contains only entries that it encoded itself.
  const entries = rows.slice(0, query.limit).map((row) => JSON.parse(String(row['entry'])) as LedgerEntry);
  const last = entries.at(-1);
  return rows.length > query.limit && last ? { entries, next: `${last.at}_${columnText(last.id)}` } : { entries };
}

/** Counts entries over time. */
export async function countEntries(
  sql: SqlSession,
  { start, end, stepMs, filters }: HistogramQuery,
): Promise<HistogramBar[]> {
  const conditions = filterConditions(filters);
  const where = ['e.at >= ? AND e.at < ?', ...conditions.map(([condition]) => condition)].join(' AND ');
  // SQLite divides real numbers, and the cast truncates the result.
  const bar = 'CAST(e.at / ? AS BIGINT)';
  const rows = await sql.all(
    `SELECT ${bar} AS bar, COUNT(*) AS entries, SUM(e.errors) AS errors FROM ledger_entries e WHERE ${where}
     GROUP BY 1 ORDER BY 1`,
    [stepMs, start, end, ...conditions.flatMap(([, values]) => values)],
  );
  return rows.map((row) => ({
    at: toNumber(row['bar']) * stepMs,
    entries: toNumber(row['entries']),
    errors: toNumber(row['errors']),
  }));
}

function filterConditions(filters: EntryFilters): [string, Values][] {
  const of = <F extends keyof Filters>(name: F, value: Filters[F] | undefined): [string, Values][] =>
    value === undefined ? [] : [CONDITIONS[name](value)];
  // The cast is safe because these are the object's own keys.
  return (Object.keys(CONDITIONS) as (keyof Filters)[]).flatMap((name) => of(name, filters[name]));
}

function parsePosition(text: string): Values {
  const [, at, id] = /^(\d{1,15})_([^\0]{1,255})$/s.exec(text) ?? [];
  if (at === undefined || id === undefined) throw new InvalidPositionError();
  return [Number(at), id];
}
