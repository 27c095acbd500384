import type { RedisSettings } from '@sluice/config';
import type { Logger } from '@sluice/telemetry';
import type { Redis, RedisOptions } from 'ioredis';
import { createRedis } from './create-redis.ts';

export interface RedisConnectionOptions {
  redis: RedisSettings;
  /**
   * `api`: commands fail immediately while Redis is unavailable, so that clients quickly get a 503. `worker`: commands
   * wait for Redis, so that a step in flight survives an outage. `replicated`: like `api`, but no command is sent twice,
   * so that a `WAIT` covers the writes before it.
   */
  role: 'api' | 'worker' | 'replicated';
  commandTimeoutMs?: number; // Does not apply to the `worker` role.
  /** Whether commands that are issued in the same tick are sent as one pipeline. The default is true. */
  pipelines?: boolean;
  logger: Pick<Logger, 'info' | 'warn' | 'debug'>;
}

/** BullMQ's own backoff reaches 20 s. With this limit, work resumes within a second. */
const MAX_RECONNECT_MS = 1_000;
const API_SOCKET_TIMEOUT_MS = 5_000;
/** Longer than any blocking read (BullMQ: up to 10 s; Sluice: 5 s). */
const WORKER_SOCKET_TIMEOUT_MS = 20_000;
const DEMOTED_RECONNECT_MS = 1_000;

/** Opens a connection that reconnects until it is closed. */
export function openRedisConnection(options: RedisConnectionOptions): Redis {
  const { role, commandTimeoutMs: commandTimeout = 2_000 } = options;
  const shared: RedisOptions = {
    retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 10), MAX_RECONNECT_MS),
    enableAutoPipelining: options.pipelines ?? true,
    reconnectOnError: reconnectIfDemoted(role),
    // Detects a network path that broke without FIN or RST: if a reply takes this long, the socket is closed.
    socketTimeout: role === 'worker' ? WORKER_SOCKET_TIMEOUT_MS : API_SOCKET_TIMEOUT_MS,
    ...(role === 'worker'
      ? { maxRetriesPerRequest: null }
      : { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout }),
    // With zero retries, commands in flight fail when the connection is lost.
    ...(role === 'replicated' && { maxRetriesPerRequest: 0, autoResendUnfulfilledCommands: false }),
  };
  const redis = createRedis(options.redis, shared);
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

/**
 * After a failover, a demoted primary of some managed services keeps its connections and refuses writes. A node of a
 * cluster replies with `MOVED` if another one has the slot now, and with `CLUSTERDOWN` if none has it. A new
 * connection finds the new primary. Nothing was written, so a worker's command is sent again. The API's commands fail,
 * and it reconnects at most once per second, because a server that stays read-only can still serve reads.
 */
function reconnectIfDemoted(role: RedisConnectionOptions['role']): (error: Error) => false | 1 | 2 {
  let last = -DEMOTED_RECONNECT_MS;
  return ({ message }) => {
    if (!/^(?:READONLY|MOVED|CLUSTERDOWN) /.test(message)) return false;
    if (role === 'worker') return 2;
    const now = performance.now();
    if (now - last < DEMOTED_RECONNECT_MS) return false;
    last = now;
    return 1;
  };
}

/** Waits until a connection can send commands. @returns false if it cannot within `timeoutMs` */
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
