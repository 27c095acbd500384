import type { MediaTask } from '@sluice/canonical';
import { isResponding, openRedisConnection, type RedisSettings } from '@sluice/redis';
import type { Logger, Tracing } from '@sluice/telemetry';
import type { ContentStore } from '@sluice/content';
import { createKeyspace } from '../store/keyspace.ts';
import { openReplicatedWrites } from '../store/replicated-writes.ts';
import { prepareRedis } from '../store/prepare-redis.ts';
import { DownloadSlots } from './steps/download-slots.ts';
import type { FetchedInput, StepContext } from './steps/step.ts';
import type { WorkerObserver } from './steps/observed-capability.ts';
import { startClearing } from './clear-content.ts';
import { startSweeper } from './sweep-tasks.ts';
import { startAccountWorker } from './start-account-worker.ts';
import { PolledTasks } from './steps/step-job.ts';
import type { TaskRecord } from '../store/task-record.ts';
import { TaskQueues } from './task-queue.ts';
import type { TaskSettings } from '../store/task-settings.ts';
import type { WokenTask } from '../store/move.ts';
import { TaskTraces } from './tracing/task-traces.ts';
import { TaskStore } from '../store/task-store.ts';
import { type WorkerAccount, WorkerAccounts } from './accounts/worker-accounts.ts';

export interface TaskWorkerOptions {
  redis: RedisSettings;
  /** The numbers of the shards that this worker serves. If omitted, all. */
  shards?: readonly number[] | undefined;
  prefix: string;
  accounts: Record<string, WorkerAccount>;
  content: ContentStore;
  fetchInput: (url: string, signal: AbortSignal) => Promise<FetchedInput>;
  settings: TaskSettings;
  observer?: WorkerObserver;
  tracing?: Tracing | undefined;
  logger: Logger;
  now?: () => number;
  random?: () => number;
}

/** The parts of {@link TaskWorkerOptions} that a reload of the configuration replaces. */
export type TaskWorkerUpdate = Pick<TaskWorkerOptions, 'accounts' | 'fetchInput' | 'settings' | 'observer'>;

export interface TaskWorker {
  /** Applies a configuration to the next steps. Submitted tasks keep their account. */
  update(next: TaskWorkerUpdate): void;
  ready(): Promise<boolean>;
  /** Returns a task without its prompt; undefined if it does not exist or is deleted. */
  find(id: string): Promise<MediaTask | undefined>;
  /** Waits for the steps in flight. After `graceMs`, aborts their downloads, which another worker then repeats. */
  close(graceMs: number): Promise<void>;
}

/** In effect, there is no limit. BullMQ counts stalls over a job's entire lifetime, but here, deadlines end tasks. */
const MAX_STALLED = 1_000_000;
const READY_MS = 1_000;
/** Enough for an outage of two minutes, at 250 ms per resend. */
const RESENDS = 480;
const ABORT_GRACE_MS = 1_000;
const FIRST_CONNECTION_MS = 10_000;

/** The worker of one Redis. @param peers the stores of the other ones */
export async function createShardWorker(
  options: TaskWorkerOptions,
  peers: readonly TaskStore[] = [],
): Promise<TaskWorker> {
  const { logger, now = Date.now, random = Math.random } = options;
  const settings = { ...options.settings };
  const keys = createKeyspace(options.prefix);
  const onError = (error: Error): void => logger.debug({ err: error }, 'redis connection error');
  // The records and BullMQ share a connection, so that Redis executes their commands in the order in which they are sent.
  // Auto-pipelining is disabled: each pipeline would define all of BullMQ's scripts, which costs more than it saves.
  const redis = openRedisConnection({ redis: options.redis, role: 'worker', pipelines: false, logger });
  const traces = options.tracing && new TaskTraces(options.tracing);
  const onMoved = traces && ((record: TaskRecord) => traces.moved(record));
  const replicated = openReplicatedWrites({ redis: options.redis, keys, logger });
  const store = new TaskStore(redis, keys, { now, ...settings, resends: RESENDS, replicated, logger, onMoved });
  const queues = new TaskQueues(redis, keys, onError);
  const stopping = new AbortController();
  const accounts = new WorkerAccounts(options.accounts);

  await prepareRedis(redis, { store, caps: options.accounts, waitMs: FIRST_CONNECTION_MS, logger });
  await replicated?.ready(FIRST_CONNECTION_MS);

  const context: StepContext = {
    store,
    peers,
    content: options.content,
    accounts,
    fetchInput: options.fetchInput,
    wake: (tasks) => wakeAll(queues, tasks, logger),
    downloads: new DownloadSlots(settings.concurrency),
    polled: new PolledTasks(),
    settings,
    observer: options.observer,
    traces,
    logger,
    now,
    random,
    signal: stopping.signal,
  };
  const workerOptions = {
    connection: redis,
    prefix: keys.queuePrefix,
    lockDuration: settings.lockMs,
    stalledInterval: settings.stallCheckMs,
    maxStalledCount: MAX_STALLED,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
    concurrency: settings.concurrency,
  };
  const start = (account: string) => startAccountWorker(context, queues, account, workerOptions, onError);
  const workers = [...accounts].map(start);
  const sweeper = startSweeper({ ...context, accounts, redis, keys, queues, missing: new Set() });
  const clearing = startClearing({ ...context, redis, keys });

  return {
    ready: () => isResponding(redis, READY_MS),
    find: (id) => findTask(store, id),
    update({ accounts: next, settings: nextSettings, fetchInput, observer }) {
      workers.push(...accounts.replace(next).map(start));
      Object.assign(settings, nextSettings);
      Object.assign(context, { fetchInput, observer });
      // The sweeper also saves them.
      store.saveCaps(accounts.caps).catch(onError);
    },
    async close(graceMs) {
      await closeAll([...workers, sweeper, clearing], stopping, graceMs, logger);
      await queues.close();
      replicated?.close();
      redis.disconnect();
    },
  };
}

function wakeAll(queues: TaskQueues, tasks: readonly WokenTask[], logger: Logger): void {
  for (const { account, id } of tasks) {
    queues
      .wake(account, id)
      .catch((error: unknown) =>
        logger.warn({ err: error, task: id }, 'task could not be enqueued; the sweeper will wake it'),
      );
  }
}

async function findTask(store: TaskStore, id: string): Promise<MediaTask | undefined> {
  const record = await store.load(id);
  if (!record || record.deleted) return undefined;
  const { prompt: _prompt, ...task } = record;
  return task;
}

/** Waits until all parts are closed. After `graceMs`, aborts the steps in flight and then waits only briefly. */
async function closeAll(
  parts: readonly { close(): Promise<void> }[],
  stopping: AbortController,
  graceMs: number,
  logger: Logger,
): Promise<void> {
  const closed = Promise.all(parts.map((part) => part.close()));
  const timer = setTimeout(() => stopping.abort(), graceMs);
  const timeout = new Promise((resolve) => setTimeout(resolve, graceMs + ABORT_GRACE_MS).unref());
  await Promise.race([closed, timeout]).catch((error: unknown) =>
    logger.warn({ err: error }, 'worker did not stop cleanly'),
  );
  clearTimeout(timer);
}
