import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findPostgres, type PrivatePostgres, startPrivatePostgres } from '@sluice/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe } from 'vitest';
import type { LedgerEntry } from '../src/entry/ledger-entry.ts';
import { openLedgerStore } from '../src/open-ledger-store.ts';
import type { LedgerStore } from '../src/store/ledger-store.ts';

export const HOUR = 3_600_000;
export const MONDAY = Date.UTC(2026, 10, 23);

let entries = 0;

export function entry(fields: Partial<LedgerEntry> = {}): LedgerEntry {
  entries += 1;
  return {
    id: `entry_${entries}`,
    type: 'request',
    at: MONDAY + HOUR,
    key: 'alice',
    endpoint: 'POST /v1/chat/completions',
    model: 'gpt-x',
    upstream: 'acme',
    status: 200,
    durationMs: 100,
    usage: { inputTokens: 10, outputTokens: 5 },
    costNanos: 1_000,
    ...fields,
  };
}

const found = await findPostgres();

/** Defines the tests once for each kind of store. Each test has an empty store. */
export function describeEachStore(defineTests: (ledger: { readonly store: LedgerStore }) => void): void {
  let postgres: PrivatePostgres | undefined;
  beforeAll(async () => {
    if (!('failure' in found)) postgres = await startPrivatePostgres(found);
  });
  afterAll(() => postgres?.close());

  const stores: Record<string, () => Promise<string | undefined>> = {
    SQLite: () => Promise.resolve(undefined),
    PostgreSQL: async () => postgres?.createDatabase(),
  };

  describe.each(Object.keys(stores))('%s', (name) => {
    const reason = name === 'PostgreSQL' && 'failure' in found ? ` [skipped: ${found.failure}]` : '';
    describe.skipIf(reason !== '')(`is a store that${reason}`, () => {
      let folder = '';
      let store: LedgerStore;
      beforeEach(async () => {
        folder = await mkdtemp(path.join(tmpdir(), 'sluice-ledger-'));
        store = openLedgerStore({ file: path.join(folder, 'ledger.sqlite'), url: await stores[name]?.() });
      });
      afterEach(async () => {
        await store.close();
        await rm(folder, { recursive: true });
      });

      defineTests({
        get store() {
          return store;
        },
      });
    });
  });
}
