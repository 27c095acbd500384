import type { LedgerStore } from './store/ledger-store.ts';
import { openPostgresDatabase } from './store/postgres/postgres-database.ts';
import { createSqlStore } from './store/sql/sql-store.ts';
import { openSqliteStore } from './store/sqlite/open-sqlite-store.ts';

export interface LedgerStoreOptions {
  /** The SQLite file, if there is no `url`. The first call creates it. */
  file: string;
  /** A `postgres://` URL. */
  url?: string | undefined;
}

/** Opens the store that the configuration selects. Nothing happens before the first call, which may fail. */
export function openLedgerStore({ file, url }: LedgerStoreOptions): LedgerStore {
  return url === undefined ? openSqliteStore(file) : createSqlStore(openPostgresDatabase(url));
}
