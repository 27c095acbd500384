import { describe, expect, it } from 'vitest';
import { RedisSchema } from '../schema/redis-schema.ts';
import { isEmbeddedRedis, redisSettings, showRedis } from './redis-settings.ts';

const redis = (fields: Record<string, unknown>) => ({ redis: RedisSchema.parse(fields) });
const SENTINELS = { sentinels: ['s1:26379', '[fd00::2]:26380'], sentinel_name: 'main' };

describe('redisSettings', () => {
  it("returns the file's server", () => {
    const settings = redisSettings(redis({ url: 'redis://a:1' }), { REDIS_URL: 'redis://b:2' });
    expect(settings.url).toBe('redis://a:1');
  });

  it('returns the embedded server that the launcher started', () => {
    const settings = redisSettings(redis({}), { REDIS_URL: 'unix:///run/r.sock' });
    expect(settings.url).toBe('unix:///run/r.sock');
  });

  it('names the remedy if the embedded server is not running', () => {
    expect(() => redisSettings(redis({}), {})).toThrow('npm start');
  });

  it('returns the Sentinels instead of a URL', () => {
    const settings = redisSettings(redis(SENTINELS), { REDIS_URL: 'redis://b:2' });
    expect(settings.url).toBeUndefined();
    expect(settings.sentinel).toMatchObject({
      addresses: [
        { host: 's1', port: 26_379 },
        { host: 'fd00::2', port: 26_380 },
      ],
      name: 'main',
      tls: false,
    });
    expect(isEmbeddedRedis(redis(SENTINELS))).toBe(false);
    expect(isEmbeddedRedis(redis({}))).toBe(true);
  });

  it('returns the nodes of a cluster, and the hash tags of its shards', () => {
    const settings = redisSettings(redis({ cluster: ['c1:6379'], shards: ['b'], prefix: 'a' }), {});
    const addresses = [{ host: 'c1', port: 6_379 }];
    expect(settings).toMatchObject({
      cluster: { addresses, tag: 'a' },
      shards: [{ cluster: { addresses, tag: 'b' } }],
    });
    expect(showRedis(settings)).toBe('{a} (cluster c1:6379)');
    expect(isEmbeddedRedis(redis({ cluster: ['c1:6379'] }))).toBe(false);
  });

  it('uses TLS for Sentinels if the servers use it, unless the file says otherwise', () => {
    const tls = { server_name: 'redis' };
    expect(redisSettings(redis({ ...SENTINELS, tls }), {}).sentinel?.tls).toBe(true);
    expect(redisSettings(redis({ ...SENTINELS, tls, sentinel_tls: false }), {}).sentinel?.tls).toBe(false);
  });
});

describe('showRedis', () => {
  it('shows no credentials', () => {
    const sentinel = { ...SENTINELS, password: 'hunter2', sentinel_password: 'hunter2' };
    expect(showRedis(redisSettings(redis(sentinel), {}))).toBe('main (Sentinel s1:26379, fd00::2:26380)');
    expect(showRedis({ url: 'redis://u:hunter2@h:1/2' })).toBe('redis://h:1/2');
  });
});
