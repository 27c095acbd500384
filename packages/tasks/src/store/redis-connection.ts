import type { Logger } from '@sluice/telemetry';
import { Redis, type RedisOptions } from 'ioredis';

export interface RedisConnectionOptions {
  /** `redis://`, `rediss://`, or `unix:///path/to/socket`. */
  url: string;
  /**
   * `api`: commands fail at once while Redis is away, so that clients get a quick 503. `worker`: commands wait for
   * Redis, so that a step in flight survives an outage.
   */
  role: 'api' | 'worker';
  commandTimeoutMs?: number; // of the `api` role
  /** Whether commands issued in one tick are sent as one pipeline. Default: true. */
  pipelines?: boolean;
  logger: Pick<Logger, 'info' | 'warn' | 'debug'>;
}

/** BullMQ's own backoff reaches 20 s. With this backoff, work resumes within a second. */
const MAX_RECONNECT_MS = 1_000;
const API_SOCKET_TIMEOUT_MS = 5_000;
/** Longer than any blocking read: BullMQ's take up to 10 s, ours 5 s. */
const WORKER_SOCKET_TIMEOUT_MS = 20_000;

/** Opens a connection that reconnects until it is closed. */
export function openRedisConnection(options: RedisConnectionOptions): Redis {
  const shared: RedisOptions = {
    retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 10), MAX_RECONNECT_MS),
    enableAutoPipelining: options.pipelines ?? true,
    // Detects a dead path without FIN or RST: a command without a reply for this long closes the socket.
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
    // The status `end` means that we closed the connection, so it is not an outage.
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

/** Whether Redis replies within `timeoutMs`. An open connection does not prove that. */
export async function isResponding(redis: Redis, timeoutMs: number): Promise<boolean> {
  if (redis.status !== 'ready') return false;
  const timeout = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), timeoutMs).unref());
  const response = redis.ping().then(
    () => true,
    () => false,
  );
  return Promise.race([response, timeout]);
}
