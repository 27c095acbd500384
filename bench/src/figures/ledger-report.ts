import { rm } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type LedgerStore, openLedgerStore, type UsageDimension } from '@sluice/ledger';
import type { Row } from '../measure/report.ts';
import type { Stage } from '../measure/stage.ts';
import { median } from '../measure/statistics.ts';

const HOUR_MS = 3_600_000;
const DAYS = 30;
const START = Date.UTC(2026, 9, 1);
const GOAL_MS = 1_000;
const [KEYS, MODELS, USERS, FEATURES] = [40, 12, 1_000, 5];

const REPORTS: [label: string, groupBy: UsageDimension[], timeZone: string][] = [
  ['by model and day', ['model', 'day'], 'UTC'],
  ['by model and day in Berlin', ['model', 'day'], 'Europe/Berlin'],
  ['by key and model', ['key', 'model'], 'UTC'],
  ['by hour', ['hour'], 'UTC'],
  ['by label', ['label'], 'UTC'],
  ['by user', ['user'], 'UTC'],
];

/** Measures reports over 30 days with 10 million entries, from the hourly sums in SQLite. */
export async function measureLedgerReport(stage: Stage): Promise<Row[]> {
  const { quick, rounds } = stage.options;
  const entries = quick ? 200_000 : 10_000_000;
  const file = path.join(stage.dir, 'report.sqlite');
  const store = openLedgerStore({ file });
  // Creates the tables.
  await query(store, [], 'UTC');
  const rollups = fillRollups(file, entries);
  const rows: Row[] = [];
  for (const [label, groupBy, timeZone] of REPORTS) {
    const runs: number[] = [];
    for (let round = 0; round < rounds; round += 1) runs.push(await query(store, groupBy, timeZone));
    const ms = median(runs);
    rows.push({
      figure: `${rows.length === 0 ? '' : '– '}report over ${entries.toLocaleString('en')} ledger entries ${label}`,
      sluice: `${ms.toFixed(0)} ms`,
      reached: `${ms.toFixed(0)} ms`,
      goal: `≤ ${GOAL_MS} ms`,
      ok: ms <= GOAL_MS,
      raw: { runs, rollups },
    });
  }
  await store.close();
  for (const suffix of ['', '-wal', '-shm']) await rm(`${file}${suffix}`, { force: true });
  return rows;
}

async function query(store: LedgerStore, groupBy: UsageDimension[], timeZone: string): Promise<number> {
  const startedAt = performance.now();
  await store.usage({ start: START, end: START + DAYS * 24 * HOUR_MS, groupBy, timeZone, filters: {} });
  return performance.now() - startedAt;
}

/** The dimensions of each rollup that the reports read, after the hour. */
const TABLES = {
  all: [],
  key_users: ['key_name', 'user_name'],
  key_labels: ['key_name', 'label'],
  totals: ['key_name', 'model', 'upstream', 'endpoint'],
  users: ['key_name', 'model', 'upstream', 'endpoint', 'user_name'],
  labels: ['key_name', 'model', 'upstream', 'endpoint', 'label'],
};

/**
 * Writes the sums of entries that are not stored themselves, because that would take much longer. Returns the number of
 * rows in each table.
 */
function fillRollups(file: string, entries: number): Record<string, number> {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA synchronous = OFF');
  const sums = database.prepare('SELECT name FROM pragma_table_info(?)').all('ledger_hourly_all').slice(1);
  const names = sums.map(({ name }) => String(name));
  const counts: Record<string, number> = {};
  const hours = DAYS * 24;
  const random = randomNumbers();
  database.exec('BEGIN');
  for (let hour = 0; hour < hours; hour += 1) {
    const groups = groupsOfHour(Math.round(entries / hours), random);
    for (const [table, dimensions] of Object.entries(TABLES)) {
      const columns = ['hour', ...dimensions, ...names];
      const insert = database.prepare(
        `INSERT INTO ledger_hourly_${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
      );
      // The cast is safe because these are the tables' names.
      const own = groups[table as keyof typeof TABLES];
      for (const [group, count] of [...own].toSorted(([a], [b]) => (a < b ? -1 : 1)))
        insert.run(
          START / HOUR_MS + hour,
          ...(dimensions.length > 0 ? group.split('|') : []),
          ...names.map((name) => sumOf(name, count)),
        );
      counts[table] = (counts[table] ?? 0) + own.size;
    }
  }
  for (const [table, dimensions] of Object.entries(TABLES)) {
    const groups = ['hour - hour % 24', ...dimensions].join(', ');
    const columns = names.map((name) => `SUM(${name})`).join(', ');
    database.exec(
      `INSERT INTO ledger_daily_${table} SELECT ${groups}, ${columns}
       FROM ledger_hourly_${table} GROUP BY ${groups}`,
    );
  }
  database.exec('COMMIT');
  database.close();
  return counts;
}

function sumOf(column: string, count: number): number {
  return column === 'requests' ? count : count * (column.length * 1_009);
}

/** Counts the entries of an hour by group. Some users and keys have much more requests than others. */
function groupsOfHour(entries: number, random: () => number): Record<keyof typeof TABLES, Map<string, number>> {
  const groups: Record<keyof typeof TABLES, Map<string, number>> = {
    all: new Map([['', entries]]),
    key_users: new Map(),
    key_labels: new Map(),
    totals: new Map(),
    users: new Map(),
    labels: new Map(),
  };
  for (let index = 0; index < entries; index += 1) {
    const user = Math.floor(USERS * random() ** 2);
    const key = user % KEYS;
    // Each key uses three models.
    const model = (key + Math.floor(3 * random() ** 2)) % MODELS;
    const total = `key-${key}|model-${model}|upstream-${model % 3}|POST /v1/chat/completions`;
    add(groups.totals, total);
    add(groups.users, `${total}|user-${user}`);
    add(groups.key_users, `key-${key}|user-${user}`);
    for (const label of [`team=${key % 8}`, `feature=${Math.floor(FEATURES * random() ** 2)}`]) {
      add(groups.labels, `${total}|${label}`);
      add(groups.key_labels, `key-${key}|${label}`);
    }
  }
  return groups;
}

function add(groups: Map<string, number>, key: string): void {
  groups.set(key, (groups.get(key) ?? 0) + 1);
}

/** Returns the same numbers in each run. */
function randomNumbers(): () => number {
  let state = 42;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
