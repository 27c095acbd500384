import { openRedis, testRedis } from '@sluice/testkit';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPlainStore } from '../test/open-plain-store.ts';
import type { KeyStore } from './key-store.ts';

const HOUR = 3_600_000;
let redis: Redis;
let prefix: string;
let now: number;
let store: KeyStore;
beforeEach(() => {
  const test = testRedis();
  prefix = test.prefix;
  redis = openRedis(test.redisUrl);
  now = Date.parse('2026-01-01T00:00:00Z');
  store = openPlainStore(redis, prefix, () => now);
});
afterEach(() => redis.disconnect());

const live = async () => (await store.listLive()).map(({ name }) => name);
const stored = () => redis.hlen(`{${prefix}}:keys`);

describe('ended keys', () => {
  it('are absent from the live list and present in the complete list', async () => {
    for (const name of ['a', 'b', 'c']) {
      await store.create({ name, settings: {} });
      now += 1;
    }
    await store.rotate('b', HOUR);
    const revoked = await store.revoke('b');
    expect([await live(), await stored()]).toEqual([['a', 'c'], 2]);
    expect((await store.list()).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(await store.retrieve('b')).toEqual(revoked);
    expect(await store.retrieve(revoked.id)).toEqual(revoked);
    await expect(store.create({ name: 'b', settings: {} })).rejects.toMatchObject({ param: 'name' });
  });

  it('are archived a day after they expire and restored when their expiry is extended', async () => {
    for (let count = 0; count < 5; count++)
      await store.create({ name: `short${count}`, settings: {}, expiresAt: now + HOUR });
    const { record } = await store.create({ name: 'app', settings: {} });
    now += 24 * HOUR;
    await store.change('app', { settings: { x: 1 } });
    expect(await stored()).toBe(6);
    now += HOUR;
    await store.change('app', { settings: { x: 2 } });
    expect([await live(), await stored()]).toEqual([['app'], 1]);
    expect(await store.list()).toHaveLength(6);
    await store.change('short1', { expiresAt: now + HOUR });
    await store.change('short2', { expiresAt: null });
    now += 48 * HOUR;
    await store.change(record.id, { settings: { x: 3 } });
    expect((await live()).toSorted()).toEqual(['app', 'short2']);
    expect(await store.list()).toHaveLength(6);
  });
});
