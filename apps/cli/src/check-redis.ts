import { isSupportedRedis, OLDEST_REDIS } from '@sluice/embedded-redis';
import type { Redis } from 'ioredis';
import { createRedisClient } from './redis-client.ts';

/** What an external Redis said. */
export interface RedisCheck {
  version: string;
  /** Time of one round trip, milliseconds. */
  roundTripMs: number;
}

/** The external Redis cannot be used; the message says why and what to do. */
class RedisCheckError extends Error {
  override name = 'RedisCheckError';
}

/**
 * Looks whether an external Redis answers, is new enough, and never evicts.
 * @throws {RedisCheckError} otherwise, within about `timeoutMs`
 */
export async function checkRedis(url: string, timeoutMs: number): Promise<RedisCheck> {
  const { redis, shown, reasonOf, close } = await createRedisClient(url, timeoutMs);
  try {
    return await inspect(redis, shown);
  } catch (error) {
    if (error instanceof RedisCheckError) throw error;
    throw new RedisCheckError(
      `Redis at ${shown} does not answer: ${reasonOf(error)}. Start it, or unset REDIS_URL for a private one.`,
    );
  } finally {
    close();
  }
}

async function inspect(redis: Redis, shown: string): Promise<RedisCheck> {
  await redis.connect();
  const begun = performance.now();
  const info = await redis.info();
  const roundTripMs = performance.now() - begun;
  const field = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];
  // Valkey tells the Redis version that it is compatible with in redis_version.
  const version = field('redis_version') ?? '';
  if (!isSupportedRedis(version)) {
    throw new RedisCheckError(`Redis at ${shown} is ${version}; ${OLDEST_REDIS} or newer is needed.`);
  }
  const policy = field('maxmemory_policy');
  if (policy !== undefined && policy !== 'noeviction') {
    throw new RedisCheckError(
      `Redis at ${shown} has maxmemory-policy ${policy}: open tasks could be evicted. Set it to noeviction.`,
    );
  }
  return { version: field('valkey_version') ?? version, roundTripMs };
}
