import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type LedgerEntry, type LedgerStore, openLedgerStore } from '@sluice/ledger';
import { type AdminRig, adminRig } from '../admin-rig.ts';
import type { ApiRigOptions } from '../api-rig.ts';

/** Monday, November 23, 2026. Reports of the rig end at 09:00 UTC by default. */
export const LEDGER_NOW = Date.parse('2026-11-23T08:30:00Z');

export interface LedgerRig extends AdminRig {
  store: LedgerStore;
  /** Stores entries. Fields that are omitted have defaults of a completed chat request of Alice. */
  addEntries(...entries: Partial<LedgerEntry>[]): Promise<void>;
}

/** An API with the admin API and a usage ledger in SQLite. */
export async function ledgerRig(options: ApiRigOptions = {}): Promise<LedgerRig> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sluice-ledger-'));
  const store = openLedgerStore({ file: path.join(folder, 'ledger.sqlite') });
  const rig = await adminRig({ ledgerStore: store, now: () => LEDGER_NOW, ...options });
  let added = 0;
  return {
    ...rig,
    store,
    addEntries: (...entries) =>
      store.add(
        entries.map((entry) => {
          added += 1;
          return chatEntry(added, entry);
        }),
      ),
    async close() {
      await rig.close();
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
}

function chatEntry(number: number, fields: Partial<LedgerEntry>): LedgerEntry {
  return {
    id: `entry_${number}`,
    type: 'request',
    at: LEDGER_NOW - number,
    requestId: `req_${number}`,
    key: 'alice',
    endpoint: 'POST /v1/chat/completions',
    protocol: 'chat-completions',
    model: 'gpt-x',
    upstream: 'acme',
    upstreamModel: 'gpt-x-1',
    status: 200,
    durationMs: 250,
    usage: { inputTokens: 10, cachedTokens: 4, outputTokens: 5 },
    costNanos: 1_250,
    lines: [{ unit: 'input_tokens', quantity: 10, nanos: 1_250 }],
    priceSource: { from: 'config' },
    ...fields,
  };
}
