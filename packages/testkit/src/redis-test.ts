import { randomUUID } from 'node:crypto';
import { Redis, type RedisOptions } from 'ioredis';

/** A corner of the run's Redis that no other test writes to. */
export interface TestRedis {
  /** `unix:///…` or `redis://…`. */
  redisUrl: string;
  /** Unique key prefix, usable as `redis.prefix` of a configuration. */
  prefix: string;
}

/**
 * The run's Redis with a fresh key prefix.
 *
 * @throws when vitest's global set-up did not run.
 */
export function testRedis(): TestRedis {
  const redisUrl = process.env.SLUICE_TEST_REDIS;
  if (!redisUrl) throw new Error('no Redis for tests: run vitest with the root configuration');
  return { redisUrl, prefix: `test-${randomUUID()}` };
}

/** Opens a client; a `unix://` URL is a socket path. The caller disconnects it. */
export function openRedis(url: string, options: RedisOptions = {}): Redis {
  if (url.startsWith('unix://')) return new Redis(url.slice('unix://'.length), options);
  return new Redis(url, options);
}
