import { isSupportedRedis, OLDEST_REDIS } from '@sluice/embedded-redis';
import type { RedisSettings } from '@sluice/config';
import type { Redis } from 'ioredis';
import { createRedisClient, unreachableMessage } from '../redis/redis-client.ts';

export interface RedisCheck {
  version: string;
  /** Round-trip time in milliseconds. */
  roundTripMs: number;
}

/** The external Redis is not usable. The message says why and what to do. */
class RedisCheckError extends Error {
  override name = 'RedisCheckError';
}

/**
 * Checks that an external Redis responds, is new enough, and never evicts.
 * @throws {RedisCheckError} within about `timeoutMs`
 */
export async function checkRedis(settings: RedisSettings, timeoutMs: number): Promise<RedisCheck> {
  const { redis, shown, reasonOf, close } = await createRedisClient(settings, timeoutMs);
  try {
    return await inspect(redis, shown);
  } catch (error) {
    if (error instanceof RedisCheckError) throw error;
    throw new RedisCheckError(unreachableMessage(shown, reasonOf(error)));
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
  // Valkey reports the compatible Redis version as redis_version.
  const version = field('redis_version') ?? '';
  if (!isSupportedRedis(version)) {
    throw new RedisCheckError(`Redis at ${shown} is version ${version}. Use ${OLDEST_REDIS} or newer.`);
  }
  const policy = field('maxmemory_policy');
  if (policy !== undefined && policy !== 'noeviction') {
    throw new RedisCheckError(
      `Redis at ${shown} has maxmemory-policy \`${policy}\`, which can evict open tasks. Set it to \`noeviction\`.`,
    );
  }
  return { version: field('valkey_version') ?? version, roundTripMs };
}
