import type { Logger } from '@sluice/telemetry';
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
  /** Whether commands of one tick go out as one pipeline. Default true. */
  pipelines?: boolean;
  logger: Pick<Logger, 'info' | 'warn' | 'debug'>;
}

/** BullMQ's own back-off waits up to 20 s after an outage; ours resumes within a second. */
const MAX_RECONNECT_MS = 1_000;
const API_SILENCE_MS = 5_000;
/** Longer than any blocking read: BullMQ's take up to 10 s, ours 5 s. */
const WORKER_SILENCE_MS = 20_000;

/** Opens a connection; it reconnects by itself for as long as it is not closed. */
export function openRedisConnection(options: RedisConnectionOptions): Redis {
  const shared: RedisOptions = {
    retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 10), MAX_RECONNECT_MS),
    enableAutoPipelining: options.pipelines ?? true,
    // A path that died without a word (no FIN, no RST) is given up when a command goes unanswered for so long.
    socketTimeout: options.role === 'api' ? API_SILENCE_MS : WORKER_SILENCE_MS,
    ...(options.role === 'api'
      ? { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: options.commandTimeoutMs ?? 2_000 }
      : { maxRetriesPerRequest: null }),
  };
  const socket = /^unix:\/\/(\/.+)$/.exec(options.url)?.[1];
  const redis = socket ? new Redis(socket, shared) : new Redis(options.url, shared);
  let isServing = true;
  redis.on('error', (error) => options.logger.debug({ err: error }, 'redis connection'));
  redis.on('close', () => {
    // What we have closed does not come back, and is no outage: it has ended by the time that this is told.
    if (isServing && redis.status !== 'end') options.logger.warn('redis is away; reconnecting');
    isServing = false;
  });
  redis.on('ready', () => {
    if (!isServing) options.logger.info('redis is back');
    isServing = true;
  });
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

/** Whether Redis answers a command within `timeoutMs`; an open connection alone says nothing. */
export async function isResponding(redis: Redis, timeoutMs: number): Promise<boolean> {
  if (redis.status !== 'ready') return false;
  const silence = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), timeoutMs).unref());
  const response = redis.ping().then(
    () => true,
    () => false,
  );
  return Promise.race([response, silence]);
}
