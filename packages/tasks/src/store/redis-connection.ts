import type { Logger } from '@sluice/telemetry';
import { Redis, type RedisOptions } from 'ioredis';

export interface RedisConnectionOptions {
  /** `redis://`, `rediss://`, or `unix:///path/to/socket`. */
  url: string;
  /**
   * `api`: commands fail immediately while Redis is unavailable, so that clients quickly get a 503. `worker`: commands
   * wait for Redis, so that a step in flight survives an outage.
   */
  role: 'api' | 'worker';
  commandTimeoutMs?: number; // Applies only to the `api` role.
  /** Whether commands that are issued in the same tick are sent as one pipeline. The default is true. */
  pipelines?: boolean;
  logger: Pick<Logger, 'info' | 'warn' | 'debug'>;
}

/** BullMQ's own backoff reaches 20 s. With this limit, work resumes within a second. */
const MAX_RECONNECT_MS = 1_000;
const API_SOCKET_TIMEOUT_MS = 5_000;
/** Longer than any blocking read (BullMQ: up to 10 s; Sluice: 5 s). */
const WORKER_SOCKET_TIMEOUT_MS = 20_000;

/** Opens a connection that reconnects until it is closed. */
export function openRedisConnection(options: RedisConnectionOptions): Redis {
  const shared: RedisOptions = {
    retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 10), MAX_RECONNECT_MS),
    enableAutoPipelining: options.pipelines ?? true,
    // Detects a network path that broke without FIN or RST: if a reply takes this long, the socket is closed.
    socketTimeout: options.role === 'api' ? API_SOCKET_TIMEOUT_MS : WORKER_SOCKET_TIMEOUT_MS,
    ...(options.role === 'api'
      ? { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: options.commandTimeoutMs ?? 2_000 }
      : { maxRetriesPerRequest: null }),
  };
  const socket = /^unix:\/\/(\/.+)$/.exec(options.url)?.[1];
  const redis = socket ? new Redis(socket, shared) : new Redis(options.url, shared);
  let isAvailable = true;
  redis.on('error', (error) => options.logger.debug({ err: error }, 'redis connection error'));
  redis.on('close', () => {
    // If the status is `end`, the gateway closed the connection itself, so this is not an outage.
    if (isAvailable && redis.status !== 'end') options.logger.warn('redis unavailable; reconnecting');
    isAvailable = false;
  });
  redis.on('ready', () => {
    if (!isAvailable) options.logger.info('redis available again');
    isAvailable = true;
  });
  return redis;
}

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

/** Whether Redis replies within `timeoutMs`. An open connection alone does not prove that. */
export async function isResponding(redis: Redis, timeoutMs: number): Promise<boolean> {
  if (redis.status !== 'ready') return false;
  const timeout = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), timeoutMs).unref());
  const response = redis.ping().then(
    () => true,
    () => false,
  );
  return Promise.race([response, timeout]);
}
