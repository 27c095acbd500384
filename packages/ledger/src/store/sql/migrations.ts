import {
  DIMENSION_COLUMNS,
  FIRST_ROLLUPS,
  type Rollup,
  ROLLUP_HOURS,
  SMALL_ROLLUPS,
  SUM_COLUMNS,
  USER_LABELS,
} from './columns.ts';
import { FALLBACKS } from './fallbacks.ts';
import { type SqlDatabase, type SqlDialect, type SqlSession, toNumber } from './sql-database.ts';

/** Each migration is a list of statements. A migration that was released must not change. */
const MIGRATIONS: readonly ((dialect: SqlDialect) => string[])[] = [
  createTables,
  addAudio,
  addFirstEvent,
  addSmallRollups,
  addSearchIndex,
  addWeeks,
  addFallbacks,
  addKeySearchIndex,
];

/** Of the first migrations. */
const FIRST_UNITS = ['hour', 'day'] as const;

const META = 'CREATE TABLE IF NOT EXISTS ledger_meta (name VARCHAR(64) PRIMARY KEY, value BIGINT NOT NULL)';

/**
 * Brings the tables to the version of this program. Several processes can do so at once, because a transaction excludes
 * other writers.
 * @throws if a newer program has changed the tables
 */
export async function migrate(database: SqlDatabase): Promise<void> {
  await database.transaction('write', async (sql) => {
    await sql.all(META);
    const version = (await readMeta(sql, 'version')) ?? 0;
    if (version > MIGRATIONS.length)
      throw new Error(
        `The ledger has version ${version}, and this program supports ${MIGRATIONS.length}. Use a newer program.`,
      );
    for (const migration of MIGRATIONS.slice(version))
      for (const statement of migration(database.dialect)) await sql.all(statement);
    await writeMeta(sql, 'version', MIGRATIONS.length);
  });
}

/** `entries_from`: older entries may be deleted, in Unix milliseconds. */
type MetaName = 'version' | 'entries_from';

export async function readMeta(sql: SqlSession, name: MetaName): Promise<number | undefined> {
  const [row] = await sql.all('SELECT value FROM ledger_meta WHERE name = ?', [name]);
  return row && toNumber(row['value']);
}

export async function writeMeta(sql: SqlSession, name: MetaName, value: number): Promise<void> {
  await sql.insert({
    table: 'ledger_meta',
    columns: [
      { name: 'name', type: 'text' },
      { name: 'value', type: 'integer' },
    ],
    rows: [[name, value]],
    suffix: 'ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  });
}

function createTables(dialect: SqlDialect): string[] {
  const { text, clustered } = dialect;
  const first = Object.values(SUM_COLUMNS).filter((column) => column !== SUM_COLUMNS.audioMs);
  const sums = first.map((column) => `${column} BIGINT NOT NULL`);
  return [
    `CREATE TABLE ledger_entries (
      id ${text} NOT NULL UNIQUE, at BIGINT NOT NULL, request_id ${text}, task_id ${text},
      key_name ${text} NOT NULL, model ${text} NOT NULL, upstream ${text} NOT NULL, endpoint ${text} NOT NULL,
      user_name ${text} NOT NULL, status ${text} NOT NULL, ${sums.join(', ')}, entry TEXT NOT NULL)`,
    'CREATE INDEX ledger_entries_at ON ledger_entries (at, id)',
    'CREATE INDEX ledger_entries_key ON ledger_entries (key_name, at)',
    "CREATE INDEX ledger_entries_user ON ledger_entries (user_name, at) WHERE user_name <> ''",
    'CREATE INDEX ledger_entries_error ON ledger_entries (at) WHERE errors = 1',
    'CREATE INDEX ledger_entries_request ON ledger_entries (request_id) WHERE request_id IS NOT NULL',
    'CREATE INDEX ledger_entries_task ON ledger_entries (task_id) WHERE task_id IS NOT NULL',
    `CREATE TABLE ledger_entry_labels (
      at BIGINT NOT NULL, id ${text} NOT NULL, label ${text} NOT NULL, PRIMARY KEY (at, id, label))${clustered}`,
    'CREATE INDEX ledger_entry_labels_label ON ledger_entry_labels (label, at, id)',
    ...FIRST_ROLLUPS.flatMap(({ tables, dimensions }) =>
      FIRST_UNITS.map((unit) => createRollup(tables[unit], dimensions, sums, dialect)),
    ),
  ];
}

function addAudio(): string[] {
  const tables = ['ledger_entries', ...FIRST_ROLLUPS.flatMap(({ tables: of }) => FIRST_UNITS.map((unit) => of[unit]))];
  return tables.map((table) => `ALTER TABLE ${table} ADD COLUMN ${SUM_COLUMNS.audioMs} BIGINT NOT NULL DEFAULT 0`);
}

/** Null in older entries, and in entries of tasks. */
function addFirstEvent(): string[] {
  return ['ALTER TABLE ledger_entries ADD COLUMN first_event_ms BIGINT'];
}

function addSmallRollups(dialect: SqlDialect): string[] {
  return SMALL_ROLLUPS.flatMap(({ from, tables, dimensions }) =>
    FIRST_UNITS.flatMap((unit) => {
      const source = unit === 'day' ? `ledger_daily_${from}` : `ledger_hourly_${from}`;
      return fillRollup(dialect, { table: tables[unit], dimensions, hour: 'hour', source });
    }),
  );
}

/** Reports by two dimensions over a month would otherwise read hundreds of thousands of rows. */
function addWeeks(dialect: SqlDialect): string[] {
  const { dimensions, tables } = USER_LABELS;
  const hour = `hour - hour % ${ROLLUP_HOURS.week}`;
  const days = { table: tables.day, dimensions, hour: 'hour', source: 'ledger_daily_label_users' };
  const weeks = [USER_LABELS, ...FIRST_ROLLUPS.filter((one) => 'week' in one.tables)].flatMap((one) => {
    const { week, day: source } = one.tables as typeof tables; // The cast is safe because of the filter.
    return fillRollup(dialect, { table: week, dimensions: one.dimensions, hour, source });
  });
  return [...fillRollup(dialect, days), ...weeks];
}

/** Older entries are not counted. */
function addFallbacks({ text, clustered }: SqlDialect): string[] {
  return [
    `CREATE TABLE ${FALLBACKS} (hour BIGINT NOT NULL, upstream ${text} NOT NULL, failures BIGINT NOT NULL, PRIMARY KEY (hour, upstream))${clustered}`,
  ];
}

interface Filling {
  table: string;
  dimensions: Rollup['dimensions'];
  /** Computes the column `hour` of a row. */
  hour: string;
  /** A rollup with more dimensions or smaller units. */
  source: string;
}

/** Creates a rollup with the sums of another one. */
function fillRollup(dialect: SqlDialect, { table, dimensions, hour, source }: Filling): string[] {
  const columns = Object.values(SUM_COLUMNS);
  const types = columns.map((column) => `${column} BIGINT NOT NULL`);
  const sums = columns.map((column) => `SUM(${column})`);
  const names = dimensions.map((dimension) => DIMENSION_COLUMNS[dimension]);
  const groups = [hour, ...names].join(', ');
  return [
    createRollup(table, dimensions, types, dialect),
    `INSERT INTO ${table} (${['hour', ...names, ...columns].join(', ')}) SELECT ${groups}, ${sums.join(', ')} FROM ${source} GROUP BY ${groups}`,
  ];
}

/** All columns of most filters. With an index of them, a search for rare entries does not read the large rows. */
const SEARCH_COLUMNS = 'at, id, errors, tasks, duration_ms, cost_nanos, first_event_ms, status, upstream, model';

function addSearchIndex(): string[] {
  return [
    `CREATE INDEX ledger_entries_search ON ledger_entries (${SEARCH_COLUMNS})`,
    'DROP INDEX ledger_entries_at',
    // Likewise for the bars of a histogram.
    'CREATE INDEX ledger_entries_key_errors ON ledger_entries (key_name, at, id, errors)',
    'DROP INDEX ledger_entries_key',
  ];
}

/** Likewise for searches in the entries of one key. */
function addKeySearchIndex(): string[] {
  return [
    `CREATE INDEX ledger_entries_key_search ON ledger_entries (key_name, ${SEARCH_COLUMNS}, user_name)`,
    'DROP INDEX ledger_entries_key_errors',
  ];
}

function createRollup(
  table: string,
  dimensions: Rollup['dimensions'],
  sums: string[],
  { text, clustered }: SqlDialect,
): string {
  const columns = dimensions.map((dimension) => DIMENSION_COLUMNS[dimension]);
  const key = ['hour', ...columns].join(', ');
  const types = columns.map((column) => `${column} ${text} NOT NULL`);
  return `CREATE TABLE ${table} (hour BIGINT NOT NULL, ${[...types, ...sums].join(', ')}, PRIMARY KEY (${key}))${clustered}`;
}
