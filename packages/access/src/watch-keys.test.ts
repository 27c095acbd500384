import { createLogger } from '@sluice/telemetry';
import { openRedis, testRedis } from '@sluice/testkit';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPlainStore } from '../test/open-plain-store.ts';
import { hashSecret } from './key-secret.ts';
import type { KeyStore } from './key-store.ts';
import { type KeyCache, watchKeys } from './watch-keys.ts';

const HOUR = 3_600_000;
let redis: Redis;
let prefix: string;
let redisUrl: string;
let now: number;
let lines: string[];
let store: KeyStore;
let watched: KeyCache<string>[];

const openStore = (connection: Redis): KeyStore => openPlainStore(connection, prefix, () => now);

/** Watches the keys as another process does. */
function watch(over: Pick<KeyStore, 'listLive' | 'version'> = store, pollMs = 20): KeyCache<string> {
  const keys = watchKeys({
    store: over,
    build: ({ name }) => {
      if (name === 'odd') throw new Error('odd');
      return name;
    },
    pollMs,
    now: () => now,
    logger: createLogger({ level: 'error', name: 'test', destination: { write: (line) => void lines.push(line) } }),
  });
  watched.push(keys);
  return keys;
}

beforeEach(() => {
  ({ prefix, redisUrl } = testRedis());
  redis = openRedis(redisUrl);
  now = Date.now();
  lines = [];
  watched = [];
  store = openStore(redis);
});
afterEach(() => {
  for (const keys of watched) keys.close();
  redis.disconnect();
});

describe('watched keys', () => {
  it('are updated in every process soon after keys are created, changed, rotated, and revoked', async () => {
    const processes = [watch(), watch()];
    const everywhere = (secret: string, name: string | undefined) =>
      expect.poll(() => processes.map((keys) => keys.find(hashSecret(secret)))).toEqual([name, name]);
    const { secret } = await store.create({ name: 'app', settings: {} });
    await everywhere(secret, 'app');
    const { secret: next } = await store.rotate('app', 0);
    await everywhere(next, 'app');
    await everywhere(secret, undefined);
    await store.change('app', { expiresAt: now + 10 });
    now += 10;
    await everywhere(next, undefined);
    await store.change('app', { expiresAt: null });
    await everywhere(next, 'app');
    await store.revoke('app');
    await everywhere(next, undefined);
  });

  it('are current after the process that changes them refreshes', async () => {
    const keys = watch(store, HOUR);
    const { secret } = await store.create({ name: 'app', settings: {} });
    expect(keys.find(hashSecret(secret))).toBeUndefined();
    await keys.refresh();
    expect(keys.find(hashSecret(secret))).toBe('app');
  });

  it('count as read from the first response of Redis, even during a later outage', async () => {
    let away = true;
    const keys = watch(
      { listLive: () => store.listLive(), version: () => (away ? Promise.reject(new Error('away')) : store.version()) },
      HOUR,
    );
    await keys.refresh();
    expect(keys.isRead()).toBe(false);
    away = false;
    await keys.refresh();
    away = true;
    await keys.refresh();
    expect(keys.isRead()).toBe(true);
  });

  it('are reported all together after every read, each once', async () => {
    const reads: (readonly string[])[] = [];
    const options = { store, pollMs: HOUR, now: () => now, logger: createLogger({ level: 'silent', name: 'test' }) };
    const keys = watchKeys({ ...options, build: ({ name }) => name, onRead: (names) => void reads.push(names) });
    watched.push(keys);
    await store.create({ name: 'a', settings: {} });
    await store.rotate('a', HOUR);
    now += 1;
    await store.create({ name: 'b', settings: {} });
    await keys.refresh();
    await keys.refresh();
    await store.revoke('a');
    await keys.refresh();
    expect(reads).toEqual([['a', 'b'], ['b']]);
  });

  it('end by the clock at their expiry and at the end of the grace period', async () => {
    const keys = watch(store, HOUR);
    const begun = now;
    const one = await store.create({ name: 'one', settings: {}, expiresAt: begun + 3 * HOUR });
    const oneNext = await store.rotate('one', HOUR);
    const two = await store.create({ name: 'two', settings: {}, expiresAt: begun + HOUR });
    await store.rotate('two', 2 * HOUR);
    await keys.refresh();
    const found = ({ secret }: { secret: string }) => keys.find(hashSecret(secret));
    now = begun + HOUR - 1;
    expect([found(one), found(oneNext), found(two)]).toEqual(['one', 'one', 'two']);
    now = begun + HOUR;
    expect([found(one), found(oneNext), found(two)]).toEqual([undefined, 'one', undefined]);
    now = begun + 3 * HOUR;
    expect(found(oneNext)).toBeUndefined();
  });

  it('cost one version lookup while nothing changes', async () => {
    let lists = 0;
    let versionReads = 0;
    const keys = watch({
      listLive: () => ((lists += 1), store.listLive()),
      version: () => ((versionReads += 1), store.version()),
    });
    await store.create({ name: 'app', settings: {} });
    await keys.refresh();
    const before = lists;
    const readsBefore = versionReads;
    await expect.poll(() => versionReads - readsBefore).toBeGreaterThan(5);
    expect(lists).toBe(before);
  });

  it('stay valid while Redis is away and are reread after it returns with the same version', async () => {
    let away = false;
    let lists = 0;
    const keys = watch({
      listLive: () => ((lists += 1), store.listLive()),
      version: () => (away ? Promise.reject(new Error('away')) : store.version()),
    });
    const { secret } = await store.create({ name: 'app', settings: {} });
    await keys.refresh();
    away = true;
    await keys.refresh();
    expect(keys.find(hashSecret(secret))).toBe('app');
    // Restores older data that has the same version number.
    await redis.del(`{${prefix}}:keys`, `{${prefix}}:key-names`, `{${prefix}}:keys-version`);
    const other = await store.create({ name: 'other', settings: {} });
    const before = lists;
    away = false;
    await expect.poll(() => keys.find(hashSecret(other.secret))).toBe('other');
    expect(keys.find(hashSecret(secret))).toBeUndefined();
    expect(lists).toBeGreaterThan(before);
  });

  it('omit and log a key that cannot be served', async () => {
    const keys = watch(store, HOUR);
    const odd = await store.create({ name: 'odd', settings: {} });
    const even = await store.create({ name: 'even', settings: {} });
    await keys.refresh();
    expect(keys.find(hashSecret(odd.secret))).toBeUndefined();
    expect(keys.find(hashSecret(even.secret))).toBe('even');
    expect(lines.join('')).toContain(odd.record.id);
  });

  it('are not read after they are closed', async () => {
    let versionReads = 0;
    const keys = watch({ listLive: () => store.listLive(), version: () => ((versionReads += 1), store.version()) });
    await expect.poll(() => versionReads).toBeGreaterThan(0);
    await keys.refresh();
    keys.close();
    const before = versionReads;
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(versionReads).toBe(before);
  });
});
