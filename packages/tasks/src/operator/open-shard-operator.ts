import { openRedisConnection, type RedisSettings, waitForRedis } from '@sluice/redis';
import type { Logger } from '@sluice/telemetry';
import { WakeUps } from '../engine/wake-ups.ts';
import { createKeyspace } from '../store/keyspace.ts';
import { TaskQueues } from '../worker/task-queue.ts';
import type { TaskSettings } from '../store/task-settings.ts';
import { TaskStore } from '../store/task-store.ts';
import { buildTaskOperator } from './build-task-operator.ts';
import type { TaskOperator } from './task-operator.ts';

export interface TaskOperatorOptions {
  redis: RedisSettings;
  /** The value of `redis.prefix` in the configuration. */
  prefix: string;
  settings: TaskSettings;
  /** Timeout of each command and of the connection, in milliseconds. */
  timeoutMs: number;
  logger: Pick<Logger, 'info' | 'warn' | 'debug'>;
  now?: () => number;
}

export interface OpenTaskOperator {
  operator: TaskOperator;
  close: () => Promise<void>;
}

/** @throws Error if Redis does not respond */
export async function openShardOperator(options: TaskOperatorOptions): Promise<OpenTaskOperator> {
  const { settings, logger, now = Date.now, timeoutMs } = options;
  const keys = createKeyspace(options.prefix);
  const connection = { redis: options.redis, role: 'api', commandTimeoutMs: timeoutMs, logger } as const;
  const redis = openRedisConnection(connection);
  const bull = openRedisConnection({ ...connection, pipelines: false });
  const queues = new TaskQueues(bull, keys, (error) => logger.debug({ err: error }, 'queue connection error'));
  const wakeUps = new WakeUps(queues, logger);
  async function close(): Promise<void> {
    await wakeUps.drained();
    await queues.close();
    bull.disconnect();
    redis.disconnect();
  }
  const connected = await Promise.all([waitForRedis(redis, timeoutMs), waitForRedis(bull, timeoutMs)]);
  if (!connected.every(Boolean)) {
    await close();
    throw new Error('Redis does not respond.');
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
