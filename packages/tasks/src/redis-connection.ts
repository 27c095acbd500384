import { Redis, type RedisOptions } from 'ioredis';

/** How a process talks to Redis. */
export interface RedisConnectionOptions {
  /** `redis://`, `rediss://` or `unix:///path/to/socket`. */
  url: string;
  /**
   * `api`: commands fail at once while Redis is away, so that clients get a quick 503.
   * `worker`: commands wait for Redis to come back, so that a step under way survives an outage.
   */
  role: 'api' | 'worker';
  /** Longest wait for one command of the `api` role, milliseconds. */
  commandTimeoutMs?: number;
  /** Told about connection errors, which are otherwise dealt with by reconnecting. */
  onError: (error: Error) => void;
}

/** BullMQ's own back-off waits up to 20 s after an outage; ours resumes within a second. */
const MAX_RECONNECT_MS = 1_000;

/** Opens a connection; it reconnects by itself for as long as it is not closed. */
export function openRedisConnection(options: RedisConnectionOptions): Redis {
  const shared: RedisOptions = {
    retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 10), MAX_RECONNECT_MS),
    enableAutoPipelining: true,
    ...(options.role === 'api'
      ? { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: options.commandTimeoutMs ?? 2_000 }
      : { maxRetriesPerRequest: null }),
  };
  const socket = /^unix:\/\/(\/.+)$/.exec(options.url)?.[1];
  const redis = socket ? new Redis(socket, shared) : new Redis(options.url, shared);
  redis.on('error', options.onError);
  return redis;
}

/** Waits until the connection serves, or `timeoutMs` are over; tells which. */
export async function waitForRedis(redis: Redis, timeoutMs: number): Promise<boolean> {
  if (redis.status === 'ready') return true;
  return new Promise((resolve) => {
    const timer = setTimeout(() => finish(false), timeoutMs);
    const ready = () => finish(true);
    function finish(isReady: boolean): void {
      clearTimeout(timer);
      redis.off('ready', ready);
      resolve(isReady);
    }
    redis.once('ready', ready);
  });
}
