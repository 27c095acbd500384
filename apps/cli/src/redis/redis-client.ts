import { type RedisSettings, showRedis } from '@sluice/config';
import type { Redis } from 'ioredis';

/** @param shown the address, without credentials */
export function unreachableMessage(shown: string, reason?: string): string {
  const why = reason === undefined ? '' : `: ${reason}`;
  return `Redis at ${shown} does not respond${why}. Start it, or unset REDIS_URL to use a private one.`;
}

/** A client that connects once and never retries. */
export interface RedisClient {
  /** The client, which is not connected yet. */
  redis: Redis;
  /** The server's address without credentials. */
  shown: string;
  /** Explains why the server does not respond. Prefers the connection's error over the command's. */
  reasonOf: (error: unknown) => string;
  close: () => void;
}

/**
 * Creates a client for a short-lived command.
 * @param timeoutMs limit for all commands together
 */
export async function createRedisClient(settings: RedisSettings, timeoutMs: number): Promise<RedisClient> {
  // Loaded lazily, because most starts use the private Redis and need no client.
  const { openRedisOnce, signInToRedis } = await import('@sluice/redis');
  const redis = openRedisOnce(await signInToRedis(settings), { timeoutMs, lazy: true });
  let lastError: Error | undefined;
  redis.on('error', (error: Error) => (lastError = error));
  const timeout = setTimeout(() => redis.disconnect(), timeoutMs);
  return {
    redis,
    shown: showRedis(settings),
    reasonOf: (error) => {
      const reason = lastError ?? error;
      return (reason instanceof Error ? reason.message : String(reason)) || 'no connection';
    },
    close: () => {
      clearTimeout(timeout);
      redis.disconnect();
    },
  };
}
