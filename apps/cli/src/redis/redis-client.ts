import { showUrl } from '@sluice/config';
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
 * @param url `redis://`, `rediss://`, or `unix:///path/to/socket`
 * @param timeoutMs limit for all commands together
 */
export async function createRedisClient(url: string, timeoutMs: number): Promise<RedisClient> {
  // Loaded lazily, because most starts use the private Redis and need no client.
  const { Redis: Client } = await import('ioredis');
  const socket = url.startsWith('unix://') ? { path: url.slice('unix://'.length) } : {};
  const options = { ...socket, lazyConnect: true, connectTimeout: timeoutMs, retryStrategy: () => null };
  const redis = socket.path === undefined ? new Client(url, options) : new Client(options);
  let lastError: Error | undefined;
  redis.on('error', (error: Error) => (lastError = error));
  const timeout = setTimeout(() => redis.disconnect(), timeoutMs);
  return {
    redis,
    shown: showUrl(url),
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
