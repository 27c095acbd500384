import path from 'node:path';
import type { Config } from '../schema/schema.ts';

const DAY_MS = 24 * 3_600_000;

/** Returns the location of the ledger (`LedgerStoreOptions` in `packages/ledger`) and its retention. */
export function ledgerSettings({ ledger, dataDir }: Pick<Config, 'ledger' | 'dataDir'>) {
  return {
    store: { file: path.join(dataDir, 'ledger.sqlite'), url: ledger.url },
    retention: { entriesMs: ledger.entries_days * DAY_MS, rollupsMs: ledger.rollups_days * DAY_MS },
  };
}
