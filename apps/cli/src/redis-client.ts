import { showUrl } from '@sluice/config';
import type { Redis } from 'ioredis';

/** A client that tries once, and never again. */
export interface RedisClient {
  /** Not yet connected. */
  redis: Redis;
  /** Where it connects to, without a credential. */
  shown: string;
  /** Why the server does not answer, in words: of the connection, if it has failed, rather than of a command. */
  reasonOf: (error: unknown) => string;
  /** Ends it, and everything that it waits for. */
  close: () => void;
}

/**
 * Makes a client for a command that ends soon.
 * @param url `redis://`, `rediss://` or `unix:///path/to/socket`
 * @param timeoutMs for everything that the client is used for; commands fail past it
 */
export async function createRedisClient(url: string, timeoutMs: number): Promise<RedisClient> {
  // Most starts run on the private server and need no client here.
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
