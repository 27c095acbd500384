import { openRedis, testRedis } from '@sluice/testkit';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPlainStore } from '../test/open-plain-store.ts';
import type { KeyStore } from './key-store.ts';

const now = Date.parse('2026-01-01T00:00:00Z');
let redis: Redis;
let prefix: string;
let store: KeyStore;
beforeEach(() => {
  const test = testRedis();
  prefix = test.prefix;
  redis = openRedis(test.redisUrl);
  store = openPlainStore(redis, prefix, () => now);
});
afterEach(() => redis.disconnect());

describe('damaged stored keys', () => {
  const damages: [string, (text: string) => string][] = [
    ['is not JSON', () => '{"id":'],
    ['lacks its secret', (text) => text.replace('"secret"', '"sacred"')],
  ];

  it.each(damages)('can only be revoked, by name or id, if the record %s', async (_, damage) => {
    for (const by of ['name', 'id'] as const) {
      const { record } = await store.create({ name: `app-${by}`, settings: { models: ['my-video'] } });
      const records = `{${prefix}}:keys`;
      await redis.hset(records, record.id, damage((await redis.hget(records, record.id)) ?? ''));
      const refusal = {
        code: 'internal_error',
        retryable: false,
        message: expect.stringContaining('Revoke') as string,
      };
      for (const work of [
        () => store.retrieve(record[by]),
        () => store.change(record[by], { settings: {} }),
        () => store.rotate(record[by], 0),
      ]) {
        await expect(work()).rejects.toMatchObject(refusal);
      }
      const version = await store.version();
      const revoked = { id: record.id, name: record.name, settings: {}, formerSecrets: [], revokedAt: now };
      expect(await store.revoke(record[by])).toMatchObject(revoked);
      expect(await store.revoke(record.id)).toMatchObject(revoked);
      expect(await store.retrieve(record.name)).toMatchObject(revoked);
      expect(await store.version()).not.toBe(version);
      await expect(store.create({ name: record.name, settings: {} })).rejects.toMatchObject({ param: 'name' });
    }
    expect((await store.list()).map(({ name }) => name).toSorted()).toEqual(['app-id', 'app-name']);
  });

  it('can be revoked even if an older Redis has reassigned the name', async () => {
    const { record } = await store.create({ name: 'app', settings: {} });
    await redis.hset(`{${prefix}}:key-names`, 'app', 'configuration');
    const refusal = { code: 'invalid_request', message: expect.stringContaining('Revoke') as string };
    await expect(store.change(record.id, { settings: { strict: true } })).rejects.toMatchObject(refusal);
    await expect(store.rotate(record.id, 0)).rejects.toMatchObject(refusal);
    expect(await store.revoke(record.id)).toMatchObject({ revokedAt: now });
    expect(await store.listLive()).toEqual([]);
    expect(await redis.hget(`{${prefix}}:key-names`, 'app')).toBe('configuration');
  });
});
