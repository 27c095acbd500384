import { closeSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Insert, SqlDatabase, SqlRow, SqlSession } from '../sql/sql-database.ts';

/** Other processes of the machine write to the same file. */
const BUSY_TIMEOUT_MS = 10_000;
const MAX_STATEMENTS = 100;

const PRAGMAS = `
  PRAGMA journal_mode = WAL;
  -- A worker deletes entries from Redis after the commit, so a commit must be on the disk.
  PRAGMA synchronous = FULL;
  -- The pages of the current hour fit into this cache of 16 MB, and many batches into the log of 32 MB.
  PRAGMA cache_size = -16000;
  PRAGMA wal_autocheckpoint = 8000;
  PRAGMA journal_size_limit = 67108864;
`;

/** Opens a file, which is created with the first transaction. All calls block the thread. */
export function openSqliteDatabase(file: string): SqlDatabase {
  let opened: Connection | undefined;
  let last: Promise<unknown> = Promise.resolve();
  return {
    dialect: { text: 'TEXT', clustered: ' WITHOUT ROWID' },
    transaction(mode, work) {
      // A connection has one transaction at a time.
      const result = last.then(() => {
        opened ??= new Connection(file);
        return opened.transaction(mode, work);
      });
      last = result.catch(() => undefined);
      return result;
    },
    async close() {
      await last;
      opened?.close();
      opened = undefined;
    },
  };
}

class Connection implements SqlSession {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(file: string) {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    // SQLite creates its other files with the permissions of this one.
    closeSync(openSync(file, 'a', 0o600));
    this.#database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
    this.#database.exec(PRAGMAS);
  }

  async transaction<T>(mode: 'read' | 'write', work: (sql: SqlSession) => Promise<T>): Promise<T> {
    this.#database.exec(mode === 'write' ? 'BEGIN IMMEDIATE' : 'BEGIN');
    try {
      const result = await work(this);
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      // Some errors, such as a full disk, have already ended the transaction.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  all(text: string, values: readonly (string | number)[] = []): Promise<SqlRow[]> {
    // The cast is safe because no column is a blob.
    return Promise.resolve(this.#prepare(text).all(...values) as SqlRow[]);
  }

  insert({ table, columns, rows, suffix }: Insert): Promise<SqlRow[]> {
    const names = columns.map(({ name }) => name).join(', ');
    const statement = this.#prepare(
      `INSERT INTO ${table} (${names}) VALUES (${columns.map(() => '?').join(', ')}) ${suffix}`,
    );
    // The cast is safe because no column is a blob.
    return Promise.resolve(rows.flatMap((row) => statement.all(...row) as SqlRow[]));
  }

  close(): void {
    this.#database.close();
  }

  #prepare(text: string): StatementSync {
    const known = this.#statements.get(text);
    if (known) return known;
    const statement = this.#database.prepare(text);
    // Sums can exceed the integers that a number can represent.
    statement.setReadBigInts(true);
    if (this.#statements.size >= MAX_STATEMENTS) this.#statements.clear();
    this.#statements.set(text, statement);
    return statement;
  }
}
