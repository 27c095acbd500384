import { DIMENSION_COLUMNS, type Rollup, ROLLUPS, SUM_COLUMNS } from './columns.ts';
import { type SqlDatabase, type SqlDialect, type SqlSession, toNumber } from './sql-database.ts';

/** Each migration is a list of statements. A migration that was released must not change. */
const MIGRATIONS: readonly ((dialect: SqlDialect) => string[])[] = [createTables, addAudio];

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
    ...ROLLUPS.flatMap(({ tables, dimensions }) =>
      Object.values(tables).map((table) => createRollup(table, dimensions, sums, dialect)),
    ),
  ];
}

function addAudio(): string[] {
  const tables = ['ledger_entries', ...ROLLUPS.flatMap(({ tables: of }) => Object.values(of))];
  return tables.map((table) => `ALTER TABLE ${table} ADD COLUMN ${SUM_COLUMNS.audioMs} BIGINT NOT NULL DEFAULT 0`);
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
