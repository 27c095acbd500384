import { randomUUID } from 'node:crypto';
import { Redis, type RedisOptions } from 'ioredis';

/** The test run's Redis, and a key prefix that no other test uses. */
export interface TestRedis {
  /** `unix:///…` or `redis://…`. */
  redisUrl: string;
  /** Unique key prefix, for `redis.prefix` in a configuration. */
  prefix: string;
}

/** @throws if vitest's global setup did not run */
export function testRedis(): TestRedis {
  const redisUrl = process.env.SLUICE_TEST_REDIS;
  if (!redisUrl) throw new Error('no Redis for tests: run vitest with the root configuration');
  return { redisUrl, prefix: `test-${randomUUID()}` };
}

/** Opens a client. A `unix://` URL is a socket path. The caller must disconnect the client. */
export function openRedis(url: string, options: RedisOptions = {}): Redis {
  if (url.startsWith('unix://')) return new Redis(url.slice('unix://'.length), options);
  return new Redis(url, options);
}
