import { openRedisConnection } from '@sluice/tasks';
import type { Logger } from '@sluice/telemetry';
import type { Redis } from 'ioredis';

export interface TextRedisOptions {
  /** `redis://`, `rediss://` or `unix:///path/to/socket`. */
  url: string;
  /** Command timeout in milliseconds. */
  commandTimeoutMs: number;
  logger: Pick<Logger, 'info' | 'warn' | 'debug'>;
}

/**
 * Opens the API's own connection for text state, so that large values do not delay commands of tasks. Returns at once,
 * even if
 * Redis is unreachable: commands then fail immediately, and the client reconnects by itself. Close with `disconnect()`.
 */
export function openTextRedis({ url, commandTimeoutMs, logger }: TextRedisOptions): Redis {
  return openRedisConnection({ url, role: 'api', commandTimeoutMs, logger });
}

/**
 * Waits until a connection is ready, has failed once, or `timeoutMs` have passed. State of earlier requests would be
 * lost.
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
