import type { Logger } from '@sluice/telemetry';
import { WakeUps } from '../engine/wake-ups.ts';
import { createKeyspace } from '../store/keyspace.ts';
import { openRedisConnection, waitForRedis } from '../store/redis-connection.ts';
import { TaskQueues } from '../worker/task-queue.ts';
import type { TaskSettings } from '../store/task-settings.ts';
import { TaskStore } from '../store/task-store.ts';
import { buildTaskOperator } from './build-task-operator.ts';
import type { TaskOperator } from './task-operator.ts';

/** What operators' tools run on when no API process is asked. */
export interface TaskOperatorOptions {
  redisUrl: string;
  /** Name under which all keys live. */
  prefix: string;
  settings: TaskSettings;
  /** Longest wait for Redis, milliseconds. */
  timeoutMs: number;
  logger: Pick<Logger, 'info' | 'warn' | 'debug'>;
  now?: () => number;
}

/** Operators' acts straight on Redis, to be closed after use. */
export interface OpenTaskOperator {
  operator: TaskOperator;
  close: () => Promise<void>;
}

/**
 * Opens a {@link TaskOperator} of its own.
 * @throws Error when Redis does not answer
 */
export async function openTaskOperator(options: TaskOperatorOptions): Promise<OpenTaskOperator> {
  const { settings, logger, now = Date.now, timeoutMs } = options;
  const keys = createKeyspace(options.prefix);
  const connection = { url: options.redisUrl, role: 'api', commandTimeoutMs: timeoutMs, logger } as const;
  const redis = openRedisConnection(connection);
  const bull = openRedisConnection({ ...connection, pipelines: false });
  const queues = new TaskQueues(bull, keys, (error) => logger.debug({ err: error }, 'queue connection'));
  const wakeUps = new WakeUps(queues, logger);
  async function close(): Promise<void> {
    await wakeUps.settled();
    await queues.close();
    bull.disconnect();
    redis.disconnect();
  }
  const areThere = await Promise.all([waitForRedis(redis, timeoutMs), waitForRedis(bull, timeoutMs)]);
  if (!areThere.every(Boolean)) {
    await close();
    throw new Error('Redis does not answer.');
  }
  const operator = buildTaskOperator({
    redis,
    keys,
    store: new TaskStore(redis, keys, { now, ...settings, logger }),
    queues,
    wake: wakeUps.wake,
    settings,
    now,
  });
  return { operator, close };
}
