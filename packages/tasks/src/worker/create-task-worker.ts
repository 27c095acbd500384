import type { MediaCapabilities, MediaTask } from '@sluice/canonical';
import type { Logger } from '@sluice/telemetry';
import { DelayedError, type Job, Worker } from 'bullmq';
import type { ContentStore } from '../content/content-store.ts';
import { DamagedTaskError } from '../store/damaged-task-error.ts';
import { createKeyspace } from '../store/keyspace.ts';
import { processTask } from './process-task.ts';
import { prepareRedis } from '../store/prepare-redis.ts';
import { isResponding, openRedisConnection } from '../store/redis-connection.ts';
import { DownloadSlots } from './steps/download-slots.ts';
import type { FetchedInput, StepContext } from './steps/step.ts';
import { startClearing } from './clear-content.ts';
import { startSweeper } from './sweep-tasks.ts';
import { queueName, TaskQueues } from './task-queue.ts';
import type { AccountCaps, TaskSettings } from '../store/task-settings.ts';
import { TaskStore } from '../store/task-store.ts';

export type WorkerAccount = AccountCaps & MediaCapabilities;

export interface TaskWorkerOptions {
  redisUrl: string;
  prefix: string;
  accounts: Record<string, WorkerAccount>;
  content: ContentStore;
  fetchInput: (url: string, signal: AbortSignal) => Promise<FetchedInput>;
  settings: TaskSettings;
  logger: Logger;
  now?: () => number;
  /** A number from 0 up to 1. */
  random?: () => number;
}

export interface TaskWorker {
  /** Whether Redis responds. */
  ready(): Promise<boolean>;
  /** Reads a task without its prompt; undefined if it does not exist or is deleted. */
  find(id: string): Promise<MediaTask | undefined>;
  /**
   * Claims nothing more, lets the steps in flight end, and stops. After `graceMs`, downloads are aborted, and another
   * worker repeats them.
   */
  close(graceMs: number): Promise<void>;
}

/**
 * `stc`, BullMQ's count of stalls, only grows during a job's life. A low limit would fail long tasks after some
 * deployments. Deadlines end tasks instead.
 */
const MAX_STALLED = 1_000_000;
const READY_MS = 1_000;
/** About two minutes of outage. */
const RESENDS = 480;
const ABORT_GRACE_MS = 1_000;
const FIRST_CONNECTION_MS = 10_000;
/** Retry delay of a damaged task. */
const DAMAGED_RETRY_MS = 10 * 60_000;

/** Starts one BullMQ worker per upstream account, the sweeper, and the removal of expired tasks. */
export async function createTaskWorker(options: TaskWorkerOptions): Promise<TaskWorker> {
  const { settings, logger, now = Date.now, random = Math.random } = options;
  const keys = createKeyspace(options.prefix);
  const onError = (error: Error): void => logger.debug({ err: error }, 'redis connection');
  const redis = openRedisConnection({ url: options.redisUrl, role: 'worker', logger });
  const store = new TaskStore(redis, keys, { now, ...settings, resends: RESENDS, logger });
  // A connection without pipelining: each pipeline would carry all of BullMQ's scripts, which costs more than it saves.
  const bull = openRedisConnection({ url: options.redisUrl, role: 'worker', pipelines: false, logger });
  const queues = new TaskQueues(bull, keys, onError);
  const stopping = new AbortController();
  const accounts = new Map<string, MediaCapabilities>(Object.entries(options.accounts));

  await prepareRedis(redis, { store, caps: options.accounts, waitMs: FIRST_CONNECTION_MS, logger });

  const context: StepContext = {
    store,
    content: options.content,
    accounts,
    fetchInput: options.fetchInput,
    wake(tasks) {
      for (const { account, id } of tasks) {
        queues.wake(account, id).catch((error: unknown) => logger.warn({ err: error, task: id }, 'not enqueued'));
      }
    },
    downloads: new DownloadSlots(settings.concurrency),
    settings,
    logger,
    now,
    random,
    signal: stopping.signal,
  };

  const workerOptions = {
    connection: bull,
    prefix: keys.queuePrefix,
    lockDuration: settings.lockMs,
    stalledInterval: settings.stallCheckMs,
    maxStalledCount: MAX_STALLED,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  };

  const workers = [...accounts.keys()].map((account) => {
    const worker = new Worker(
      queueName(account),
      async (job: Job, token?: string) => {
        const at = await runStep(account, job.id ?? '');
        if (at === undefined || at === 'parked') return at;
        // The record is written first, because from here on another worker may hold the job.
        await job.moveToDelayed(at, token);
        throw new DelayedError();
      },
      { ...workerOptions, concurrency: settings.concurrency },
    );
    worker.on('error', onError);
    // A dispatch adds a job for a parked task, which does nothing while this job still exists. So check again after it.
    worker.on('completed', (job, result) => {
      if (result === 'parked') void wakeIfDispatched(account, job.id ?? '').catch(onError);
    });
    return worker;
  });

  async function wakeIfDispatched(account: string, id: string): Promise<void> {
    const record = await store.load(id);
    if (record?.status === 'queued' && record.dispatched) await queues.wake(account, id);
  }

  async function runStep(account: string, id: string): Promise<number | 'parked' | undefined> {
    try {
      return await processTask(context, account, id);
    } catch (error) {
      if (error instanceof DamagedTaskError) return postpone(account, id, error);
      // The record has the task's state, so the step can be retried.
      logger.error({ err: error, task: id, upstream: account }, 'step failed; trying again');
      return now() + settings.retryMinMs;
    }
  }

  /** An operator may repair the record; until then retries fail. */
  async function postpone(account: string, id: string, error: DamagedTaskError): Promise<number> {
    const until = now() + DAMAGED_RETRY_MS;
    logger.error({ err: error, task: id, upstream: account }, 'damaged task put off');
    await store.postpone(id, until).catch(() => undefined); // then the sweeper wakes it earlier
    return until;
  }

  const sweeper = startSweeper({ ...context, redis, keys, queues, caps: options.accounts });
  const clearing = startClearing({ ...context, redis, keys });

  return {
    ready: () => isResponding(redis, READY_MS),
    async find(id) {
      const record = await store.load(id);
      if (!record || record.deleted) return undefined;
      const { prompt: _unsaid, ...told } = record;
      return told;
    },
    async close(graceMs) {
      const closed = Promise.all([...workers.map((worker) => worker.close()), sweeper.close(), clearing.close()]);
      const timer = setTimeout(() => stopping.abort(), graceMs);
      await Promise.race([
        closed,
        new Promise((resolve) => setTimeout(resolve, graceMs + ABORT_GRACE_MS).unref()),
      ]).catch((error: unknown) => logger.warn({ err: error }, 'worker did not close cleanly'));
      clearTimeout(timer);
      await queues.close();
      bull.disconnect();
      redis.disconnect();
    },
  };
}
