import { showUrl } from '@sluice/config';
import type { Redis } from 'ioredis';

/** A client that connects once and never retries. */
export interface RedisClient {
  /** Not connected yet. */
  redis: Redis;
  /** Its address, without credentials. */
  shown: string;
  /** Why the server does not respond: the connection's error if there is one, else the command's. */
  reasonOf: (error: unknown) => string;
  close: () => void;
}

/**
 * A client for a command that ends soon.
 * @param url `redis://`, `rediss://`, or `unix:///path/to/socket`
 * @param timeoutMs for all commands together
 */
export async function createRedisClient(url: string, timeoutMs: number): Promise<RedisClient> {
  // Loaded lazily: most starts use the private server and need no client.
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
