/** A value of a column. Integers may be texts or `bigint`; {@link toNumber} converts them. */
export type SqlValue = string | number | bigint | null;
export type SqlRow = Record<string, SqlValue>;

export interface Column {
  name: string;
  type: 'text' | 'integer';
}

export interface Insert {
  table: string;
  columns: readonly Column[];
  rows: readonly (readonly (string | number | null)[])[];
  /** The rest of the statement, e.g. `ON CONFLICT DO NOTHING`. */
  suffix: string;
}

/** Runs statements of one transaction. */
export interface SqlSession {
  /** Each `?` is a value. */
  all(text: string, values?: readonly (string | number)[]): Promise<SqlRow[]>;
  /** Returns the rows of the suffix's `RETURNING`. */
  insert(insert: Insert): Promise<SqlRow[]>;
}

/** The part of a store that SQLite and PostgreSQL do differently. */
export interface SqlDatabase {
  readonly dialect: SqlDialect;
  /**
   * Commits if `work` resolves. `read` sees one state of the database; `write` excludes other writers of all processes.
   * @throws if the database is unavailable
   */
  transaction<T>(mode: 'read' | 'write', work: (sql: SqlSession) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface SqlDialect {
  /** The type of a text that is compared by its bytes. */
  text: string;
  /** The suffix of a table that is stored in the order of its primary key. */
  clustered: string;
}

export function toNumber(value: SqlValue | undefined): number {
  return Number(value ?? 0);
}
