import { randomBytes } from 'node:crypto';
import { isResponding, openRedisConnection, type RedisSettings } from '@sluice/redis';
import type { Logger } from '@sluice/telemetry';
import type { Redis } from 'ioredis';
import { browseTasks } from '../operator/browse-tasks.ts';
import { changeWaitingTask } from '../engine/change-waiting-task.ts';
import { cancelOwnedTask, removeOwnedTask } from '../engine/end-owned-task.ts';
import type { EngineContext } from '../engine/engine-context.ts';
import { findByExternalId, findOwnedTask, findTask } from '../engine/find-task.ts';
import { knowsTask } from '../engine/knows-task.ts';
import { followTask } from '../engine/follow-task.ts';
import { listTasks } from '../engine/list-tasks.ts';
import { pollAfterMs, shouldPollSoon } from '../engine/poll-hints.ts';
import { submitTask } from '../engine/submit-task.ts';
import { TaskEvents } from '../engine/task-events.ts';
import { waitForEnd } from '../engine/wait-for-end.ts';
import { WakeUps } from '../engine/wake-ups.ts';
import { buildTaskOperator } from '../operator/build-task-operator.ts';
import { guarded, type LostReply } from '../store/guarded.ts';
import { createKeyspace } from '../store/keyspace.ts';
import { openReplicatedWrites } from '../store/replicated-writes.ts';
import { prepareRedis } from '../store/prepare-redis.ts';
import type { RandomBytes } from '@sluice/canonical';
import type { AccountCaps, TaskSettings } from '../store/task-settings.ts';
import { readTaskStats } from '../store/task-stats.ts';
import { TaskStore } from '../store/task-store.ts';
import type { NewTask } from '../engine/task-requests.ts';
import type { TaskEngine } from './task-engine.ts';
import { TaskQueues } from '../worker/task-queue.ts';

export interface TaskEngineOptions {
  redis: RedisSettings;
  /** The value of `redis.prefix` in the configuration. */
  prefix: string;
  accounts: Record<string, AccountCaps>;
  settings: TaskSettings;
  /** Timeout of one Redis command, in milliseconds. */
  commandTimeoutMs: number;
  logger: Logger;
  now?: () => number;
  random?: RandomBytes;
}

/** How long startup waits for Redis. After that, requests get a 503 until Redis is available. */
const FIRST_CONNECTION_MS = 3_000;
/** How often a waiting request reads the record if no event arrives. */
const REREAD_MS = 2_000;

/** The error if the reply to a creation is lost. The task may exist, so a retry without a key could duplicate it. */
const MAYBE_RECORDED: LostReply = {
  message:
    'The outcome is unknown: the task may have been recorded. Retry with the same `Idempotency-Key`; a retry without one may create a second task.',
  retryable: false,
};

/** The engine of one Redis. */
export interface ShardEngine extends TaskEngine {
  /** Whether Redis is connected. */
  isConnected(): boolean;
  /** Returns the owners that have paused their tasks here. */
  pausedOwners(): Promise<string[]>;
  /** Whether an earlier request of the same key, retry, or external id has a task here. */
  knows(newTask: NewTask): Promise<boolean>;
}

/** @param shard the number of this Redis; 0 is the home */
export async function createShardEngine(options: TaskEngineOptions, shard = 0): Promise<ShardEngine> {
  const { logger, now = Date.now, random = randomBytes } = options;
  const settings = { ...options.settings };
  let caps = options.accounts;
  const keys = createKeyspace(options.prefix);
  const connection = { redis: options.redis, logger };
  const api = { ...connection, role: 'api', commandTimeoutMs: options.commandTimeoutMs } as const;
  const redis = openRedisConnection(api);
  // BullMQ needs a connection without auto-pipelining. It defines its commands late, so a pipeline created before that
  // lacks them. ioredis 6 then throws, and the process exits.
  const bull = openRedisConnection({ ...api, pipelines: false });
  const replicated = openReplicatedWrites({ ...connection, keys, commandTimeoutMs: options.commandTimeoutMs });
  const store = new TaskStore(redis, keys, { now, ...settings, logger, replicated });
  const queues = new TaskQueues(bull, keys, (error) => logger.debug({ err: error }, 'queue connection error'));
  const events = new TaskEvents(openRedisConnection({ ...connection, role: 'worker' }), keys.events);
  const wakeUps = new WakeUps(queues, logger);

  await prepareRedis(redis, { store, caps, waitMs: FIRST_CONNECTION_MS, logger });
  await replicated?.ready(FIRST_CONNECTION_MS);
  // After a restore from a backup, Redis may have lost the caps.
  redis.on('ready', () => void store.saveCaps(caps).catch(() => undefined));

  const context = { redis, keys, store, queues, events, wake: wakeUps.wake, settings, now, random, shard };
  return {
    ...taskOperations(context),
    isConnected: () => redis.status === 'ready',
    pausedOwners: () => guarded(() => redis.smembers(keys.pausedOwners)),
    knows: (newTask) => guarded(() => knowsTask(context, newTask)),
    operator: buildTaskOperator(context),
    update(next) {
      caps = next.accounts;
      Object.assign(settings, next.settings);
      store.saveCaps(caps).catch(() => undefined); // The workers also save them.
    },
    ready: () => isResponding(redis, options.commandTimeoutMs),
    async close() {
      events.close();
      await wakeUps.drained();
      replicated?.close();
      await closeConnections(queues, bull, redis);
    },
  };
}

function taskOperations(context: EngineContext): Omit<TaskEngine, 'operator' | 'update' | 'ready' | 'close'> {
  const { redis, keys, store, queues, events, settings, now } = context;
  return {
    submit: (newTask) => guarded(() => submitTask(context, newTask), MAYBE_RECORDED),
    capOwners: (caps) => guarded(async () => context.wake(await store.capOwners(caps))),
    find: (ownerId, id) => guarded(() => findOwnedTask(context, ownerId, id)),
    findByExternalId: (ownerId, externalId) => guarded(() => findByExternalId(context, ownerId, externalId)),
    findForLink: (id) => guarded(() => findTask(context, id)),
    list: (ownerId, listing) => guarded(() => listTasks(context, ownerId, listing)),
    browse: (browsing) => guarded(() => browseTasks(context, browsing)),
    cancel: (ownerId, id) => guarded(() => cancelOwnedTask(context, ownerId, id)),
    change: (ownerId, id, change) => guarded(() => changeWaitingTask(context, ownerId, id, change)),
    pauseOwner: (ownerId, paused) => guarded(async () => context.wake(await store.pauseOwner(ownerId, paused))),
    isOwnerPaused: (ownerId) => guarded(async () => (await redis.sismember(keys.pausedOwners, ownerId)) === 1),
    remove: (ownerId, id) => guarded(() => removeOwnedTask(context, ownerId, id)),
    waitForEnd: (task, timeoutMs, signal) => waitForEnd(context, task, { timeoutMs, rereadMs: REREAD_MS, signal }),
    follow: (task, after, signal) => followTask({ ...context, rereadMs: REREAD_MS }, task, after, signal),
    watch: (listener) => events.watchAll(listener),
    pollSoon(task) {
      if (!shouldPollSoon(task, settings.polling, now())) return;
      void queues.promote(task.upstream, task.id).catch(() => undefined);
    },
    pollAfterMs: (task) => pollAfterMs(task, settings.polling, now()),
    stats: () => guarded(() => readTaskStats(redis, keys)),
  };
}

async function closeConnections(queues: TaskQueues, ...connections: readonly Redis[]): Promise<void> {
  await queues.close();
  for (const connection of connections) connection.disconnect();
}
