import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LedgerEntry } from '../../entry/ledger-entry.ts';
import { openLedgerStore } from '../../open-ledger-store.ts';
import type { UsageSums } from '../ledger-store.ts';

const AT = Date.UTC(2026, 10, 23, 1);

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sluice-ledger-'));
  file = path.join(folder, 'ledger.sqlite');
});
afterEach(() => rm(folder, { recursive: true }));

/** Adds an entry, and returns the sums of all entries. */
async function addAndSum(id: string, audioSeconds: number): Promise<UsageSums | undefined> {
  const entry: LedgerEntry = {
    id,
    type: 'request',
    at: AT,
    key: 'alice',
    endpoint: 'POST /v1/audio/transcriptions',
    labels: { team: 'core' },
    status: 200,
    durationMs: 100,
    usage: { audioSeconds },
  };
  const store = openLedgerStore({ file });
  try {
    await store.add([entry]);
    const period = { start: AT, end: AT + 3_600_000, timeZone: 'UTC' };
    const [row] = await store.usage({ ...period, groupBy: [], filters: {} });
    return row;
  } finally {
    await store.close();
  }
}

/** Brings the file to the state in which the first version of the ledger left it. */
function downgrade(): void {
  const database = new DatabaseSync(file);
  const rows = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%audio_ms%'").all();
  for (const { name } of rows) database.exec(`ALTER TABLE ${String(name)} DROP COLUMN audio_ms`);
  database.exec("UPDATE ledger_meta SET value = 1 WHERE name = 'version'");
  database.close();
  expect(rows).toHaveLength(9);
}

describe('migrate', () => {
  it('adds seconds of audio to the entries and sums of an older ledger', async () => {
    await addAndSum('old', 5);
    downgrade();
    expect(await addAndSum('new', 2.5)).toMatchObject({ requests: 2, audioMs: 2_500 });
  });

  it('rejects a ledger of a newer program', async () => {
    await addAndSum('old', 5);
    const database = new DatabaseSync(file);
    database.exec("UPDATE ledger_meta SET value = 99 WHERE name = 'version'");
    database.close();
    await expect(addAndSum('new', 1)).rejects.toThrow('The ledger has version 99');
  });
});
