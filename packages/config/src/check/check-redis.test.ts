import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { formatPath } from '../issues/config-error.ts';
import { ConfigSchema } from '../schema/schema.ts';
import { checkRedis } from './check-redis.ts';

function check(redis: Record<string, unknown>): string[] {
  return checkRedis(ConfigSchema.parse({ redis })).map(({ path, wrong }) => `${formatPath(path)}: ${wrong}`);
}

const URL = 'rediss://redis.example:6380';
const SENTINELS = { sentinels: ['s1:26379'], sentinel_name: 'main' };
const AWS = { type: 'aws-elasticache', cache: 'c', region: 'us-east-1' };
const GOOGLE = { type: 'google-memorystore' };
const PEM = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----';
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const KEY = privateKey.export({ type: 'pkcs8', format: 'pem' });

describe('checkRedis', () => {
  it.each([
    ['defaults', {}],
    ['a URL', { url: URL, tls: {} }],
    ['a user besides the URL', { url: URL, username: 'u', password: 'p' }],
    ['a password besides a URL with a database', { url: 'redis://redis.example/2', password: 'p' }],
    ['a cluster', { cluster: ['c1:6379'], shards: ['sluice-b'], username: 'u', password: 'p', tls: {} }],
    ['an identity', { url: URL, identity: GOOGLE }],
    ['an identity of a cluster', { cluster: ['c1:6379'], tls: {}, username: 'u', identity: AWS }],
    ['Sentinels', { ...SENTINELS, username: 'u', password: 'p', tls: { server_name: 'redis' }, sentinel_tls: false }],
  ])('accepts %s', (_, redis) => {
    expect(check(redis)).toEqual([]);
  });

  it.each([
    ['Sentinels without a name', { sentinels: ['s1:26379'] }, 'redis.sentinels: needs `redis.sentinel_name`'],
    ['a name without Sentinels', { sentinel_name: 'main' }, 'redis.sentinel_name: needs `redis.sentinels`'],
    ['Sentinels and a URL', { ...SENTINELS, url: URL }, 'redis.url: cannot be used together with `redis.sentinels`'],
    [
      'a user of the Sentinels without a password',
      { ...SENTINELS, sentinel_username: 'u' },
      'redis.sentinel_username: needs `redis.sentinel_password`',
    ],
    ['TLS of the Sentinels alone', { ...SENTINELS, sentinel_tls: true }, 'redis.sentinel_tls: needs `redis.tls`'],
    [
      'a cluster and a URL',
      { cluster: ['c1:6379'], url: URL },
      'redis.url: cannot be used together with `redis.cluster`',
    ],
    [
      'a cluster and Sentinels',
      { cluster: ['c1:6379'], ...SENTINELS },
      'redis.sentinels: cannot be used together with `redis.cluster`',
    ],
    [
      'a URL as the shard of a cluster',
      { cluster: ['c1:6379'], shards: [URL] },
      'redis.shards[0]: must be a prefix of letters, digits, `_`, and `-`',
    ],
    [
      'the prefix as a shard of a cluster',
      { cluster: ['c1:6379'], shards: ['sluice'] },
      'redis.shards[0]: is in the list twice, or is the home',
    ],
    [
      'an identity and a password',
      { url: URL, username: 'u', password: 'p', identity: AWS },
      'redis.identity: replaces the password',
    ],
    [
      'an identity and a password in the URL',
      { url: 'rediss://u:p@redis.example', identity: GOOGLE },
      'redis.identity: replaces the password',
    ],
    [
      'an identity without TLS',
      { url: 'redis://redis.example', identity: GOOGLE },
      'redis.identity: needs TLS, because the token is sent to the server',
    ],
    [
      'an identity with Sentinels',
      { ...SENTINELS, identity: GOOGLE },
      'redis.identity: cannot be used together with `redis.sentinels`',
    ],
    ['an identity without its user', { url: URL, identity: AWS }, 'redis.identity: needs `redis.username`'],
    ['a user without a password', { url: URL, username: 'u' }, 'redis.username: needs `redis.password`'],
    [
      'a password of the embedded server',
      { password: 'p' },
      'redis.password: is for your own Redis, but `redis.url` is `embedded`',
    ],
    [
      'a user in both places',
      { url: 'rediss://u:p@redis.example', username: 'u', password: 'p' },
      'redis.username: is also in `redis.url`',
    ],
    ['TLS without rediss', { url: 'redis://redis.example', tls: {} }, 'redis.tls: needs a `rediss://` URL'],
    ['a broken authority', { url: URL, tls: { ca: PEM } }, 'redis.tls.ca: is not a valid certificate'],
    ['a certificate without a key', { url: URL, tls: { cert: PEM } }, 'redis.tls.cert: needs `redis.tls.key`'],
    ['a key without a certificate', { url: URL, tls: { key: KEY } }, 'redis.tls.key: needs `redis.tls.cert`'],
    ['a broken certificate', { url: URL, tls: { cert: PEM, key: KEY } }, 'redis.tls.cert: is not a valid certificate'],
  ])('reports %s', (_, redis, issue) => {
    expect(check(redis)).toEqual([issue]);
  });
});
