import type { LedgerStore } from '../ledger-store.ts';
import { addEntries } from './add-entries.ts';
import { deleteBefore } from './delete-before.ts';
import { queryFallbacks } from './fallbacks.ts';
import { migrate } from './migrations.ts';
import { countEntries, queryEntries } from './query-entries.ts';
import { queryUsage } from './query-usage.ts';
import type { SqlDatabase } from './sql-database.ts';

/** A {@link LedgerStore} in a database. The first call creates or updates the tables. */
export function createSqlStore(database: SqlDatabase): LedgerStore {
  let migrated: Promise<void> | undefined;
  const ready = async (): Promise<SqlDatabase> => {
    migrated ??= migrate(database);
    try {
      await migrated;
    } catch (error) {
      // The next call tries again.
      migrated = undefined;
      throw error;
    }
    return database;
  };
  return {
    async add(entries) {
      if (entries.length === 0) return;
      await (await ready()).transaction('write', (sql) => addEntries(sql, entries));
    },
    usage: async (query) => (await ready()).transaction('read', (sql) => queryUsage(sql, query)),
    entries: async (query) => (await ready()).transaction('read', (sql) => queryEntries(sql, query)),
    histogram: async (query) => (await ready()).transaction('read', (sql) => countEntries(sql, query)),
    fallbacks: async (query) => (await ready()).transaction('read', (sql) => queryFallbacks(sql, query)),
    deleteBefore: async (times) => (await ready()).transaction('write', (sql) => deleteBefore(sql, times)),
    close: () => database.close(),
  };
}
