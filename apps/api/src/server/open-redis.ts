import { openRedisConnection } from '@sluice/tasks';
import type { Logger } from '@sluice/telemetry';
import type { Redis } from 'ioredis';

/** Where the state of text is kept. */
export interface TextRedisOptions {
  /** `redis://`, `rediss://` or `unix:///path/to/socket`. */
  url: string;
  /** Longest wait for one command, milliseconds. */
  commandTimeoutMs: number;
  logger: Pick<Logger, 'info' | 'warn' | 'debug'>;
}

/**
 * Opens the API's own connection for the state of text, so that big values do not stand before the commands of tasks.
 * Gives it back at once, whether Redis is there or not: while it is away commands fail immediately, and the connection
 * comes back by itself. Ended with `disconnect()`.
 */
export function openTextRedis({ url, commandTimeoutMs, logger }: TextRedisOptions): Redis {
  return openRedisConnection({ url, role: 'api', commandTimeoutMs, logger });
}

/**
 * Waits until a connection serves, has failed for the first time, or `timeoutMs` are over: whoever takes requests before
 * that keeps nothing of the first ones.
 */
export function firstConnection(redis: Redis, timeoutMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (redis.status === 'ready') return Promise.resolve();
  const timer = setTimeout(resolve, timeoutMs);
  for (const event of ['ready', 'close']) redis.once(event, resolve);
  return promise.finally(() => {
    clearTimeout(timer);
    for (const event of ['ready', 'close']) redis.off(event, resolve);
  });
}
