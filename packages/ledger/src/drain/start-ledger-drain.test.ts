import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openRedis, startRedisProxy, testRedis } from '@sluice/testkit';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LedgerEntry } from '../entry/ledger-entry.ts';
import { ledgerKeys } from '../entry/ledger-keys.ts';
import type { LedgerStore } from '../store/ledger-store.ts';
import { openLedgerStore } from '../open-ledger-store.ts';
import { readLedgerStats } from './ledger-stats.ts';
import { type LedgerDrain, type LedgerDrainOptions, startLedgerDrain } from './start-ledger-drain.ts';

const DAY = 24 * 3_600_000;
const START = Date.UTC(2026, 10, 23, 12);

let folder = '';
let store: LedgerStore;
let redisUrl = '';
let prefix = '';
let redis: Redis;
let drains: LedgerDrain[] = [];
let logged: string[] = [];
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sluice-ledger-'));
  store = openLedgerStore({ file: path.join(folder, 'ledger.sqlite') });
  ({ redisUrl, prefix } = testRedis());
  redis = openRedis(redisUrl, { maxRetriesPerRequest: null });
  [drains, logged] = [[], []];
});
afterEach(async () => {
  await Promise.all(drains.map((drain) => drain.close(5_000)));
  redis.disconnect();
  await store.close();
  await rm(folder, { recursive: true });
});

function entry(id: string, fields: Partial<LedgerEntry> = {}): LedgerEntry {
  const route = { endpoint: 'POST /v1/chat/completions', model: 'm', key: 'alice', status: 200 };
  return { id, type: 'request', at: START, durationMs: 5, costNanos: 7, ...route, ...fields };
}

async function append(...texts: string[]): Promise<void> {
  const pipeline = redis.pipeline();
  for (const text of texts) pipeline.xadd(ledgerKeys(prefix).stream, '*', 'entry', text);
  await pipeline.exec();
}

const log = (fields: unknown, text?: string) => void logged.push(text ?? String(fields));

function start(options: Partial<LedgerDrainOptions> = {}): LedgerDrain {
  const logger = { info: log, warn: log, error: log };
  const retention = { entriesMs: 90 * DAY, rollupsMs: 900 * DAY };
  const drain = startLedgerDrain({ redis, prefix, store, retention, logger, now: () => START, ...options });
  drains.push(drain);
  return drain;
}

const counted = async () => {
  const rows = await store.usage({ start: 0, end: START * 2, groupBy: [], timeZone: 'UTC', filters: {} });
  return rows[0]?.requests ?? 0;
};
const storedIds = async () => (await store.entries({ filters: {}, limit: 10 })).entries.map(({ id }) => id);
const waiting = () => redis.xlen(ledgerKeys(prefix).stream);

describe('a drain', () => {
  it('reports how many entries of each key it has stored', async () => {
    const entries = [entry('e1'), entry('e2', { key: 'bob' }), entry('e3')];
    await append(...entries.map((one) => JSON.stringify(one)));
    start();
    await expect.poll(waiting).toBe(0);
    const messages = await redis.xrange(ledgerKeys(prefix).stored, '-', '+');
    expect(messages.map(([, fields]) => fields)).toEqual([['keys', '{"alice":2,"bob":1}']]);
  });

  it('moves entries to the store, in several batches', async () => {
    await append(...Array.from({ length: 2_203 }, (_, index) => JSON.stringify(entry(`e${index}`))));
    expect(await readLedgerStats(redis, prefix, Date.now() + 60_000)).toMatchObject({ waiting: 2_203, stored: 0 });
    start();
    await expect.poll(waiting).toBe(0);
    expect(await counted()).toBe(2_203);
    expect(await readLedgerStats(redis, prefix, START)).toEqual({
      waiting: 0,
      oldestAgeMs: 0,
      stored: 2_203,
      dropped: 0,
      unreadable: 0,
    });
  });

  it('deletes and counts unreadable entries', async () => {
    await append('{', '{}', JSON.stringify({ ...entry('x'), at: 'now' }), JSON.stringify(entry('good')));
    await redis.xadd(ledgerKeys(prefix).stream, '*', 'other', '1');
    start();
    await expect.poll(waiting).toBe(0);
    expect(await counted()).toBe(1);
    expect(await readLedgerStats(redis, prefix, START)).toMatchObject({ stored: 1, unreadable: 4 });
    expect(logged).toEqual(Array(4).fill('ledger entry is unreadable; it is deleted'));
  });

  it('keeps entries in Redis while the store is unavailable, and then stores them', async () => {
    let isAway = true;
    const failing: LedgerStore = {
      ...store,
      add: (entries) => (isAway ? Promise.reject(new Error('away')) : store.add(entries)),
    };
    await append(JSON.stringify(entry('a')));
    start({ store: failing });
    await expect.poll(() => logged).toEqual(['ledger unavailable; entries wait in Redis']);
    expect(await waiting()).toBe(1);
    expect((await readLedgerStats(redis, prefix, Date.now() + 60_000)).oldestAgeMs).toBeGreaterThanOrEqual(60_000);
    isAway = false;
    await expect.poll(counted).toBe(1);
    await expect.poll(() => logged.at(-1)).toBe('ledger available again');
  });

  it('counts a batch once if Redis fails before the batch is deleted there', async () => {
    const proxy = await startRedisProxy(redisUrl);
    const through = openRedis(proxy.url, { maxRetriesPerRequest: 0 });
    let added = 0;
    const counting: LedgerStore = {
      ...store,
      async add(entries) {
        await store.add(entries);
        added += 1;
        if (added === 1) proxy.set({ kind: 'reset' });
      },
    };
    await append(JSON.stringify(entry('a')), JSON.stringify(entry('b')));
    start({ redis: through, store: counting });
    await expect.poll(() => logged).toEqual(['ledger unavailable; entries wait in Redis']);
    expect([await waiting(), await counted()]).toEqual([2, 2]);
    proxy.set({ kind: 'none' });
    await expect.poll(waiting).toBe(0);
    expect([added > 1, await counted()]).toEqual([true, 2]);
    through.disconnect();
    await proxy.close();
  });

  it('lets another worker continue after it is closed, and finishes its batch', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const slow: LedgerStore = {
      ...store,
      async add(entries) {
        await released;
        await store.add(entries);
      },
    };
    await append(JSON.stringify(entry('a')));
    const first = start({ store: slow });
    await expect.poll(() => redis.exists(ledgerKeys(prefix).drainer)).toBe(1);
    start();
    const closed = first.close(20_000);
    release();
    await closed;
    expect([await waiting(), await counted()]).toEqual([0, 1]);
    await append(JSON.stringify(entry('b')));
    await expect.poll(counted).toBe(2);
  });

  it('deletes entries and sums after their retention', async () => {
    const ages = [0, 89, 91, 899, 902];
    await append(...ages.map((days) => JSON.stringify(entry(`e${days}`, { at: START - days * DAY }))));
    start();
    await expect.poll(storedIds).toEqual(['e0', 'e89']);
    await expect.poll(counted).toBe(4);
  });
});
