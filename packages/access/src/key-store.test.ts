import { randomBytes } from 'node:crypto';
import { GatewayError } from '@sluice/canonical';
import { createLogger } from '@sluice/telemetry';
import { openRedis, testRedis } from '@sluice/testkit';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashSecret } from './key-secret.ts';
import { createKeyStore, type KeyStore } from './key-store.ts';

const HOUR = 3_600_000;
let redis: Redis;
let prefix: string;
let now: number;
let lines: string[];
let store: KeyStore;

/** Opens a store of the test's deployment. Each store acts as a separate process. */
function open(connection = redis): KeyStore {
  return createKeyStore({
    redis: connection,
    prefix,
    parseSettings: (settings) => {
      if ('bad' in settings) throw new GatewayError('invalid_request', 'bad is bad.', { param: 'bad' });
      return { strict: false, ...settings };
    },
    takenNames: new Set(['configured']),
    now: () => now,
    randomBytes,
    logger: createLogger({ level: 'error', name: 'test', destination: { write: (line) => void lines.push(line) } }),
  });
}

beforeEach(() => {
  const test = testRedis();
  prefix = test.prefix;
  redis = openRedis(test.redisUrl);
  now = Date.parse('2026-01-01T00:00:00Z');
  lines = [];
  store = open();
});
afterEach(() => redis.disconnect());

describe('creating a key', () => {
  it('returns the secret once and stores only its hash', async () => {
    const { record, secret } = await store.create({
      name: 'app',
      settings: { models: ['my-video'] },
      expiresAt: now + HOUR,
    });
    expect(secret).toMatch(/^sk-sluice-[A-Za-z0-9_-]{43}$/);
    expect(record).toEqual({
      id: expect.stringMatching(/^key_[0-9a-f]{24}$/) as string,
      name: 'app',
      settings: { strict: false, models: ['my-video'] },
      secret: { hash: hashSecret(secret), lastFour: secret.slice(-4) },
      formerSecrets: [],
      createdAt: now,
      expiresAt: now + HOUR,
    });
    const rotated = await store.rotate('app', HOUR);
    const dump = JSON.stringify(await Promise.all((await redis.keys(`*${prefix}*`)).map((key) => everythingOf(key))));
    expect(dump).toContain(hashSecret(secret));
    expect(dump).not.toContain(secret.slice(0, -4));
    expect(dump).not.toContain(rotated.secret.slice(0, -4));
  });

  it('makes the key available by id and name in every process', async () => {
    const { record } = await store.create({ name: 'app', settings: {} });
    expect(await open().retrieve('app')).toEqual(record);
    expect(await open().retrieve(record.id)).toEqual(record);
    await expect(store.retrieve('apq')).rejects.toMatchObject({ code: 'not_found' });
    await expect(store.retrieve('key_0')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('rejects names of configured, concurrently created, and revoked keys', async () => {
    await expect(store.create({ name: 'configured', settings: {} })).rejects.toMatchObject({ param: 'name' });
    const made = await Promise.allSettled(
      Array.from({ length: 8 }, () => open().create({ name: 'app', settings: {} })),
    );
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await store.revoke('app');
    await expect(store.create({ name: 'app', settings: {} })).rejects.toMatchObject({ param: 'name' });
    expect(await store.list()).toHaveLength(1);
  });

  it.each(['', ' ', 'key_x', '-a', 'a b', 'a/b', 'ä', 'a'.repeat(65), 'a\n', '../x'])(
    'rejects the name %j',
    async (name) => {
      const refused = { code: 'invalid_request', param: 'name' };
      await expect(store.create({ name, settings: {} })).rejects.toMatchObject(refused);
    },
  );

  it.each(['a', 'Team-1', 'a@b.example', 'a'.repeat(64), '7+7', '0_x'])('accepts the name %j', async (name) => {
    expect((await store.create({ name, settings: {} })).record.name).toBe(name);
  });

  it('rejects invalid settings and past expiries', async () => {
    await expect(store.create({ name: 'app', settings: { bad: 1 } })).rejects.toMatchObject({ param: 'bad' });
    const over = { code: 'invalid_request', param: 'expires_at' };
    for (const expiresAt of [now, 8.64e15, 1e17, Number.NaN, Infinity]) {
      await expect(store.create({ name: 'app', settings: {}, expiresAt })).rejects.toMatchObject(over);
    }
    expect(await store.list()).toEqual([]);
    expect(await store.version()).toBe('');
  });
});

describe('changing a key', () => {
  it('preserves fields that the change omits', async () => {
    const settings = { models: ['my-video'], limits: { rpm: 1, tpm: 2 } };
    const { record } = await store.create({ name: 'app', settings, expiresAt: now + HOUR });
    const changed = await store.change('app', { settings: { limits: { rpm: 5 }, strict: true } });
    expect(changed).toEqual({
      ...record,
      settings: { models: ['my-video'], limits: { rpm: 5, tpm: 2 }, strict: true },
    });
    expect((await store.change('app', { settings: { models: null, strict: null } })).settings).toEqual({
      limits: { rpm: 5, tpm: 2 },
      strict: false,
    });
    expect((await store.change('app', { expiresAt: null })).expiresAt).toBeUndefined();
    expect(await store.retrieve('app')).toEqual(await store.change('app', {}));
  });

  it('leaves the key unchanged if the change is rejected', async () => {
    const { record } = await store.create({ name: 'app', settings: {} });
    await expect(store.change('app', { settings: { bad: 1 } })).rejects.toMatchObject({ param: 'bad' });
    await expect(store.change('app', { expiresAt: now - 1 })).rejects.toMatchObject({ param: 'expires_at' });
    expect(await store.retrieve('app')).toEqual(record);
  });

  it('preserves all concurrent changes of many processes', async () => {
    await store.create({ name: 'app', settings: {} });
    const fields = Array.from({ length: 8 }, (_, index) => `field${index}`);
    await Promise.all(fields.map((field) => open().change('app', { settings: { [field]: 1 } })));
    const { settings } = await store.retrieve('app');
    expect(Object.keys(settings).toSorted()).toEqual([...fields, 'strict']);
  });
});

describe('rotating a key', () => {
  it('issues a new secret and keeps the previous one for the grace period', async () => {
    const { record, secret } = await store.create({ name: 'app', settings: {} });
    const rotated = await store.rotate(record.id, HOUR);
    expect(rotated.secret).not.toBe(secret);
    expect(rotated.record).toEqual({
      ...record,
      secret: { hash: hashSecret(rotated.secret), lastFour: rotated.secret.slice(-4) },
      formerSecrets: [{ ...record.secret, endsAt: now + HOUR }],
    });
  });

  it('never extends former secrets and ends all of them without a grace period', async () => {
    const { secret: first } = await store.create({ name: 'app', settings: {} });
    const begun = now;
    const { secret: second } = await store.rotate('app', HOUR);
    now += 60_000;
    expect((await store.rotate('app', 2 * HOUR)).record.formerSecrets).toMatchObject([
      { hash: hashSecret(second), endsAt: now + 2 * HOUR },
      { hash: hashSecret(first), endsAt: begun + HOUR },
    ]);
    now += HOUR;
    expect((await store.rotate('app', HOUR)).record.formerSecrets).toHaveLength(2);
    expect((await store.rotate('app', 0)).record.formerSecrets).toEqual([]);
  });

  it('stores the new secret once if the write conflicts with another change and its reply is lost', async () => {
    const { record } = await store.create({ name: 'app', settings: {} });
    let sent = 0;
    const resent = new Proxy(redis, {
      get: (target, property) =>
        property === 'eval' && sent++ === 0
          ? async (...args: Parameters<Redis['eval']>) => {
              await target.eval(...args);
              await store.change('app', { settings: { x: 1 } });
              return target.eval(...args);
            }
          : (Reflect.get(target, property, target) as unknown),
    });
    const rotated = await open(resent).rotate('app', HOUR);
    expect(rotated.record.settings).toMatchObject({ x: 1 });
    expect(rotated.record.formerSecrets).toEqual([{ ...record.secret, endsAt: now + HOUR }]);
    expect(rotated.record.secret.hash).toBe(hashSecret(rotated.secret));
  });

  it.each([-1, 31 * 24 * HOUR])('rejects a grace period of %i ms', async (graceMs) => {
    await store.create({ name: 'app', settings: {} });
    await expect(store.rotate('app', graceMs)).rejects.toMatchObject({ param: 'grace_seconds' });
  });

  it('rejects an expired key', async () => {
    await store.create({ name: 'app', settings: {}, expiresAt: now + 1 });
    now += 1;
    await expect(store.rotate('app', 0)).rejects.toMatchObject({ code: 'invalid_request' });
    await store.change('app', { expiresAt: now + HOUR });
    expect((await store.rotate('app', 0)).record.expiresAt).toBe(now + HOUR);
  });
});

describe('revoking a key', () => {
  it('ends all secrets for good and preserves the record', async () => {
    const { record } = await store.create({ name: 'app', settings: {} });
    await store.rotate('app', HOUR);
    const revoked = await store.revoke('app');
    expect(revoked).toMatchObject({ id: record.id, revokedAt: now, formerSecrets: [] });
    now += HOUR;
    expect(await store.revoke(record.id)).toEqual(revoked);
    await expect(store.change('app', { expiresAt: null })).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(store.rotate('app', 0)).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await store.list()).toEqual([revoked]);
  });
});

describe('reserving names of configured keys', () => {
  it('blocks stored keys from these names even after they leave the configuration', async () => {
    expect(await store.reserve(['other', 'app'])).toEqual([]);
    expect(await open().reserve(['other'])).toEqual([]);
    await expect(store.create({ name: 'other', settings: {} })).rejects.toMatchObject({ param: 'name' });
    await expect(store.retrieve('other')).rejects.toMatchObject({ code: 'not_found' });
    expect(await store.list()).toEqual([]);
  });

  it('reports names that a stored key has or had', async () => {
    for (const name of ['a', 'b', 'c']) await store.create({ name, settings: {} });
    await store.revoke('b');
    expect(await store.reserve(['x', 'a', 'b'])).toEqual(['a', 'b']);
    expect(await store.reserve(['x', 'b'])).toEqual(['b']);
  });
});

describe('the key store', () => {
  it('changes its version with every write and only then', async () => {
    const versions = [await store.version()];
    const note = async () => versions.push(await open().version());
    await store.create({ name: 'app', settings: {} }).then(note);
    await store.change('app', { settings: { x: 1 } }).then(note);
    await store.rotate('app', 0).then(note);
    await store.revoke('app').then(note);
    expect(new Set(versions).size).toBe(5);
    await store.revoke('app');
    await store.create({ name: 'app', settings: {} }).catch(() => undefined);
    expect(await store.version()).toBe(versions.at(-1));
  });

  it('lists the oldest keys first and logs records that it cannot read', async () => {
    for (const name of ['a', 'c', 'b']) {
      await store.create({ name, settings: {} });
      now += 1;
    }
    await redis.hset(`{${prefix}}:keys`, 'key_broken', '{"id":');
    expect((await store.list()).map(({ name }) => name)).toEqual(['a', 'c', 'b']);
    expect(lines.join('')).toContain('key_broken');
  });

  it('writes under the prefix and hash tag of its deployment', async () => {
    await store.create({ name: 'app', settings: {} });
    const keys = await redis.keys(`*${prefix}*`);
    expect(keys.filter((key) => !key.startsWith(`{${prefix}}:`))).toEqual([]);
    prefix = `${prefix}-other`;
    await expect(open().retrieve('app')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('reports quickly that Redis is away and that the outcome of a write is unknown', async () => {
    const disconnected = openRedis('unix:///nowhere/redis.sock', {
      enableOfflineQueue: false,
      retryStrategy: () => null,
    });
    disconnected.on('error', () => undefined);
    const away = open(disconnected);
    await expect(away.list()).rejects.toMatchObject({ code: 'store_unavailable', retryable: true });
    await expect(away.version()).rejects.toMatchObject({ code: 'store_unavailable' });
    const create = away.create({ name: 'app', settings: {} });
    await expect(create).rejects.toMatchObject({ code: 'store_unavailable', retryable: false });
    disconnected.disconnect();
  });

  it('creates one key if the command is resent after a lost reply', async () => {
    const sendTwice = new Proxy(redis, {
      get: (target, property) =>
        property === 'eval'
          ? (...args: Parameters<Redis['eval']>) => target.eval(...args).then(() => target.eval(...args))
          : (Reflect.get(target, property, target) as unknown),
    });
    const twice = open(sendTwice);
    await twice.create({ name: 'app', settings: {} });
    await twice.change('app', { settings: { x: 1 } });
    expect(await store.list()).toHaveLength(1);
    expect(await store.version()).toBe('2');
  });
});

/** Reads a Redis key of any type. */
async function everythingOf(key: string): Promise<unknown> {
  const type = await redis.type(key);
  if (type === 'zset') return redis.zrange(key, '0', '-1');
  return type === 'hash' ? redis.hgetall(key) : redis.get(key);
}
