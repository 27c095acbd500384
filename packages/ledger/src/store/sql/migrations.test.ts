import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LedgerEntry } from '../../entry/ledger-entry.ts';
import { openLedgerStore } from '../../open-ledger-store.ts';
import type { UsageSums } from '../ledger-store.ts';

const AT = Date.UTC(2026, 10, 23, 1);
const DAY_MS = 86_400_000;

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sluice-ledger-'));
  file = path.join(folder, 'ledger.sqlite');
});
afterEach(() => rm(folder, { recursive: true }));

function sample(id: string, at: number): LedgerEntry {
  const endpoint = 'POST /v1/audio/transcriptions';
  return { id, type: 'request', at, key: 'alice', endpoint, labels: { team: 'core' }, status: 200, durationMs: 100 };
}

/** Adds an entry, and returns the sums of all entries. */
async function addAndSum(id: string, audioSeconds: number): Promise<UsageSums | undefined> {
  const entry = { ...sample(id, AT), usage: { audioSeconds } };
  const store = openLedgerStore({ file });
  try {
    await store.add([entry]);
    const period = { start: AT, end: AT + 3_600_000, timeZone: 'UTC' };
    const [row] = await store.usage({ ...period, groupBy: [], filters: {} });
    // Each of these reads another rollup.
    for (const groupBy of ['user', 'label', 'model'] as const) {
      const [group] = await store.usage({ ...period, groupBy: [groupBy], filters: {} });
      expect(group).toMatchObject({ requests: row?.requests, audioMs: row?.audioMs });
    }
    return row;
  } finally {
    await store.close();
  }
}

/** Brings the file to the state in which the first version of the ledger left it. */
function downgrade(): void {
  const database = new DatabaseSync(file);
  for (const name of ['all', 'key_users', 'key_labels'])
    for (const unit of ['hourly', 'daily']) database.exec(`DROP TABLE ledger_${unit}_${name}`);
  for (const name of ['daily_user_labels', 'weekly_user_labels', 'weekly_users', 'weekly_labels', 'hourly_fallbacks'])
    database.exec(`DROP TABLE ledger_${name}`);
  database.exec('DROP INDEX ledger_entries_search');
  database.exec('DROP INDEX ledger_entries_key_search');
  database.exec('CREATE INDEX ledger_entries_at ON ledger_entries (at, id)');
  database.exec('CREATE INDEX ledger_entries_key ON ledger_entries (key_name, at)');
  const rows = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%audio_ms%'").all();
  for (const { name } of rows) database.exec(`ALTER TABLE ${String(name)} DROP COLUMN audio_ms`);
  database.exec('ALTER TABLE ledger_entries DROP COLUMN first_event_ms');
  database.exec("UPDATE ledger_meta SET value = 1 WHERE name = 'version'");
  database.close();
  expect(rows).toHaveLength(9);
}

describe('migrate', () => {
  it('adds new columns and sums to an older ledger', async () => {
    await addAndSum('old', 5);
    downgrade();
    expect(await addAndSum('new', 2.5)).toMatchObject({ requests: 2, audioMs: 2_500 });
  });

  it('fills the rollups by week, which equal the sums of their days', async () => {
    const [start, end] = [AT - 30 * DAY_MS, AT + DAY_MS];
    const reports = async () => {
      const store = openLedgerStore({ file });
      try {
        const period = { start, end, timeZone: 'UTC', filters: {} };
        return await Promise.all(
          (['user', 'label'] as const).flatMap((by) =>
            (['model', 'key', by === 'user' ? 'label' : 'user'] as const).map((other) =>
              store.usage({ ...period, groupBy: [by, other] }),
            ),
          ),
        );
      } finally {
        await store.close();
      }
    };
    const store = openLedgerStore({ file });
    const entries = Array.from({ length: 60 }, (_, at) => ({
      ...sample(`e${at}`, AT - at * (DAY_MS / 2)),
      user: `u${at % 3}`,
      labels: { team: `t${at % 2}` },
      model: `m${at % 4}`,
    }));
    await store.add(entries);
    await store.close();
    const before = await reports();
    downgrade();
    expect(await reports()).toEqual(before);
    const [users = []] = before;
    expect(users.reduce((sum, { requests }) => sum + requests, 0)).toBe(60);
    const database = new DatabaseSync(file);
    const weeks = database.prepare('SELECT SUM(requests) AS requests FROM ledger_weekly_user_labels').all();
    database.close();
    expect(weeks).toEqual([{ requests: 60 }]);
  });

  it('rejects a ledger of a newer program', async () => {
    await addAndSum('old', 5);
    const database = new DatabaseSync(file);
    database.exec("UPDATE ledger_meta SET value = 99 WHERE name = 'version'");
    database.close();
    await expect(addAndSum('new', 1)).rejects.toThrow('The ledger has version 99');
  });
});
