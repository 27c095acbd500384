import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import type { Insert, SqlDatabase, SqlRow, SqlSession } from '../sql/sql-database.ts';

const CONNECT_TIMEOUT_MS = 5_000;
const CLOSE_TIMEOUT_MS = 2_000;
const QUERY_TIMEOUT_MS = 60_000;
/** One for writes, and the others for reports. */
const MAX_CONNECTIONS = 4;
/** Any number that other programs do not use for an advisory lock of the same database. */
const WRITER_LOCK = 7_203_115_001;

/** Connects with the first transaction, and reconnects when the server is back. */
export function openPostgresDatabase(url: string): SqlDatabase {
  let opening: Promise<Pool> | undefined;
  return {
    dialect: { text: 'TEXT COLLATE "C"', clustered: '' },
    async transaction(mode, work) {
      opening ??= openPool(url);
      const client = await (await opening).connect();
      let failure: Error | undefined;
      try {
        return await runTransaction(client, mode, work);
      } catch (error) {
        failure = error instanceof Error ? error : new Error(String(error));
        throw error;
      } finally {
        // After a failure, the state of the connection is unknown.
        client.release(failure);
      }
    },
    async close() {
      const ended = opening?.then((pool) => pool.end());
      opening = undefined;
      // A server that does not respond must not delay the end of the process.
      await Promise.race([ended, sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
    },
  };
}

/** Loads the library only here, because most installations use SQLite. */
async function openPool(url: string): Promise<Pool> {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'sluice',
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    statement_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
  });
  // Without these listeners, the loss of a connection would end the process. The transaction on it fails anyway, and the
  // next one opens another connection. The pool listens only to its idle connections.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

async function runTransaction<T>(
  client: PoolClient,
  mode: 'read' | 'write',
  work: (sql: SqlSession) => Promise<T>,
): Promise<T> {
  if (mode === 'read') await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  else {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [WRITER_LOCK]);
  }
  const result = await work(sessionOf(client));
  await client.query('COMMIT');
  return result;
}

function sessionOf(client: PoolClient): SqlSession {
  const all = async (text: string, values: readonly unknown[] = []): Promise<SqlRow[]> => {
    let parameters = 0;
    const numbered = text.replaceAll('?', () => `$${(parameters += 1)}`);
    return (await client.query<SqlRow>(numbered, [...values])).rows;
  };
  return {
    all,
    insert({ table, columns, rows, suffix }: Insert) {
      if (rows.length === 0) return Promise.resolve([]);
      const names = columns.map(({ name }) => name).join(', ');
      const arrays = columns.map(({ type }) => (type === 'text' ? '?::text[]' : '?::bigint[]')).join(', ');
      const values = columns.map((_, index) => rows.map((row) => row[index]));
      return all(`INSERT INTO ${table} (${names}) SELECT * FROM unnest(${arrays}) ${suffix}`, values);
    },
  };
}
