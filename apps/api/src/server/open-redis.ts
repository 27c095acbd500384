import { openRedisConnection, type RedisSettings } from '@sluice/redis';
import type { Logger } from '@sluice/telemetry';
import type { Redis } from 'ioredis';

export interface TextRedisOptions {
  settings: RedisSettings;
  commandTimeoutMs: number;
  logger: Pick<Logger, 'info' | 'warn' | 'debug'>;
}

/**
 * Opens a separate connection, so that large values do not delay task commands. Commands fail immediately while Redis
 * is unreachable. The caller closes it with `disconnect()`.
 */
export function openTextRedis({ settings, commandTimeoutMs, logger }: TextRedisOptions): Redis {
  return openRedisConnection({ redis: settings, role: 'api', commandTimeoutMs, logger });
}

/** Waits until a connection is ready or has failed once, but at most `timeoutMs`. */
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
