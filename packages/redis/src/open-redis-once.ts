import type { RedisSettings } from '@sluice/config';
import type { Redis } from 'ioredis';
import { createRedis } from './create-redis.ts';

export interface OpenRedisOnceOptions {
  /** Timeout of the connection and of each command, in milliseconds. */
  timeoutMs: number;
  /** If true, connects with `connect()` or with the first command. */
  lazy?: boolean;
}

/**
 * Opens a connection that never reconnects, for a short read or a command of the CLI. The caller handles the event
 * `error`.
 */
export function openRedisOnce(settings: RedisSettings, { timeoutMs, lazy = false }: OpenRedisOnceOptions): Redis {
  return createRedis(settings, {
    lazyConnect: lazy,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    sentinelRetryStrategy: () => null,
  });
}
