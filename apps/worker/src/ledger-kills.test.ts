import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type LedgerEntry,
  ledgerKeys,
  openLedgerStore,
  readLedgerStats,
  type UsageDimension,
  type UsageRow,
} from '@sluice/ledger';
import { createLimiter } from '@sluice/limits';
import { findPostgres, openRedis, type PrivatePostgres, startPrivatePostgres, testRedis } from '@sluice/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const MAIN = path.join(import.meta.dirname, 'main.ts');
const KILLS = 6;
const RESTARTS = 5;
const LONG = 180_000;
const START = Date.UTC(2026, 10, 23);
const KEYS = ['key-0', 'key-1', 'key-2'];
/** Each reads another rollup. */
const GROUPS: UsageDimension[][] = [['key'], ['key', 'user'], ['key', 'label'], ['key', 'label', 'user']];

const found = await findPostgres();
const reason = 'failure' in found ? ` [skipped: ${found.failure}]` : '';

let postgres: PrivatePostgres | undefined;
let folder = '';
let url: string | undefined;
let redisUrl = '';
let prefix = '';
let redis: ReturnType<typeof openRedis>;
let appended = 0;
const workers = new Set<ChildProcess>();
beforeAll(async () => {
  if (!('failure' in found)) postgres = await startPrivatePostgres(found);
});
afterAll(() => postgres?.close());
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sluice-worker-'));
  ({ redisUrl, prefix } = testRedis());
  redis = openRedis(redisUrl);
  [url, appended] = [undefined, 0];
});
afterEach(async () => {
  await Promise.all([...workers].map(killWorker));
  redis.disconnect();
  await rm(folder, { recursive: true });
});

function entry(index: number): LedgerEntry {
  return {
    id: `entry_${index}`,
    type: index % 7 === 0 ? 'task' : 'request',
    at: START + index * 1_000,
    key: KEYS[index % KEYS.length] ?? '',
    model: `model-${index % 5}`,
    upstream: 'acme',
    endpoint: 'POST /v1/chat/completions',
    user: `user-${index % 11}`,
    labels: { team: `team-${index % 4}` },
    status: 200,
    durationMs: index,
    costNanos: index * 1_001,
  };
}

/** Charges the budgets of keys, and appends the entries in the same steps. */
async function charge(count: number): Promise<void> {
  const limiter = createLimiter(redis, { prefix, maxLedgerEntries: 1_000_000 });
  const entries = Array.from({ length: count }, (_, index) => entry(appended + index));
  appended += count;
  await Promise.all(
    entries.map((one) => {
      const { id, key: owner, costNanos: nanos = 0 } = one;
      return limiter.charge({ id, owner }, { tokens: 0, nanos }, JSON.stringify(one));
    }),
  );
  // A sender that retries can append an entry twice.
  const doubled = entries.filter((_, index) => index % 10 === 0).map((one) => JSON.stringify(one));
  await limiter.appendEntries(doubled);
}

async function startWorker(): Promise<ChildProcess> {
  const config = { redis: { url: redisUrl, prefix }, ledger: { url }, keys: [{ name: 'local', key: 'sk-test-local' }] };
  await writeFile(path.join(folder, 'sluice.yaml'), JSON.stringify(config));
  const worker = spawn(process.execPath, ['--conditions=source', MAIN], {
    cwd: folder,
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  workers.add(worker);
  await once(worker, 'message');
  return worker;
}

async function killWorker(worker: ChildProcess): Promise<void> {
  workers.delete(worker);
  if (worker.exitCode !== null || worker.signalCode !== null) return;
  worker.kill('SIGKILL');
  await once(worker, 'exit');
}

const stored = async () => (await readLedgerStats(redis, prefix, Date.now())).stored;

/** Charges requests, and waits until a worker has stored some of their entries. Every call ends at another point. */
async function chargeAndStoreSome(round: number): Promise<void> {
  const before = await stored();
  await charge(3_000);
  await expect.poll(stored, { interval: 2, timeout: 60_000 }).toBeGreaterThan(before);
  // Long enough for a few batches.
  await sleep(round * 7);
}

type KeySums = Record<string, { count: number; nanos: number }>;

function sumByKey(rows: readonly { key: string; count: number; nanos: number }[]): KeySums {
  const sums: KeySums = {};
  for (const { key, count, nanos } of rows) {
    const { [key]: sum = { count: 0, nanos: 0 } } = sums;
    sums[key] = { count: sum.count + count, nanos: sum.nanos + nanos };
  }
  return sums;
}

const rowSums = (rows: readonly UsageRow[]) =>
  sumByKey(
    rows.map(({ group, requests, tasks, costNanos }) => ({
      key: group.key ?? '',
      count: requests + tasks,
      nanos: costNanos,
    })),
  );

/** Waits until all entries are stored. Then the entries, each rollup, and the budgets must have the same sums. */
async function expectEqualSums(): Promise<void> {
  await expect.poll(() => redis.xlen(ledgerKeys(prefix).stream), { timeout: 60_000 }).toBe(0);
  const store = openLedgerStore({ file: path.join(folder, '.sluice/ledger.sqlite'), url });
  const entries: LedgerEntry[] = [];
  let after: string | undefined;
  do {
    const page = await store.entries({ filters: {}, limit: 1_000, ...(after !== undefined && { after }) });
    entries.push(...page.entries);
    after = page.next;
  } while (after !== undefined);
  expect(new Set(entries.map(({ id }) => id)).size).toBe(appended);
  const sums = sumByKey(entries.map(({ key, costNanos = 0 }) => ({ key, count: 1, nanos: costNanos })));
  const query = { start: START, end: START + 365 * 24 * 3_600_000, timeZone: 'UTC', filters: {} };
  for (const groupBy of GROUPS) expect(rowSums(await store.usage({ ...query, groupBy }))).toEqual(sums);
  await store.close();
  const limiter = createLimiter(redis, { prefix });
  const charged = await Promise.all(KEYS.map(async (key) => [key, (await limiter.spending(key)).total]));
  expect(charged).toEqual(KEYS.map((key) => [key, sums[key]?.nanos]));
  expect(entries.length).toBe(appended);
}

const DATABASES: Record<string, () => Promise<string | undefined>> = {
  SQLite: () => Promise.resolve(undefined),
  PostgreSQL: async () => postgres?.createDatabase(),
};

describe.each(Object.keys(DATABASES))('workers that store ledger entries in %s', (name) => {
  const note = name === 'PostgreSQL' ? reason : '';
  it.skipIf(note !== '')(
    `lose no entry and count none twice if they are killed${note}`,
    async () => {
      url = await DATABASES[name]?.();
      for (let kill = 0; kill < KILLS; kill += 1) {
        const worker = await startWorker();
        await chargeAndStoreSome(kill);
        await killWorker(worker);
        // As if the lock had expired.
        await redis.del(ledgerKeys(prefix).drainer);
      }
      await startWorker();
      await expectEqualSums();
    },
    LONG,
  );
});

describe.skipIf(reason !== '')(`a worker that stores ledger entries in PostgreSQL${reason}`, () => {
  it(
    'loses no entry, counts none twice, and continues if the server is killed or stopped',
    async () => {
      url = await DATABASES['PostgreSQL']?.();
      const worker = await startWorker();
      for (let restart = 0; restart < RESTARTS; restart += 1) {
        await chargeAndStoreSome(restart * 2);
        await (restart % 2 === 0 ? postgres?.crash() : postgres?.stop());
        await charge(100);
        await postgres?.start();
      }
      await expectEqualSums();
      expect([worker.exitCode, worker.signalCode]).toEqual([null, null]);
    },
    LONG,
  );
});
