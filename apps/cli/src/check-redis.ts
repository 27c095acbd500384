import { showUrl } from '@sluice/config';
import { isSupportedRedis, OLDEST_REDIS } from '@sluice/embedded-redis';
import type { Redis } from 'ioredis';

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
  // Most starts run on the private server and need no client here.
  const { Redis: Client } = await import('ioredis');
  const socket = url.startsWith('unix://') ? { path: url.slice('unix://'.length) } : {};
  const options = { ...socket, lazyConnect: true, connectTimeout: timeoutMs, retryStrategy: () => null };
  const redis = socket.path === undefined ? new Client(url, options) : new Client(options);
  let lastError: Error | undefined;
  redis.on('error', (error: Error) => (lastError = error));
  const timeout = setTimeout(() => redis.disconnect(), timeoutMs);
  const shown = showUrl(url);
  try {
    return await inspect(redis, shown);
  } catch (error) {
    if (error instanceof RedisCheckError) throw error;
    const reason = lastError ?? error;
    const words = reason instanceof Error ? reason.message : String(reason);
    throw new RedisCheckError(
      `Redis at ${shown} does not answer: ${words || 'no connection'}. Start it, or unset REDIS_URL for a private one.`,
    );
  } finally {
    clearTimeout(timeout);
    redis.disconnect();
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
