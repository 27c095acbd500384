import type { Config } from '@sluice/config';
import { MAX_STREAM_ENTRIES } from '@sluice/ledger';
import { createLimiter } from '@sluice/limits';
import { JobLoop } from '@sluice/lifecycle';
import { openRedisConnection, type RedisSettings } from '@sluice/redis';
import {
  createResponseKeys,
  EventLog,
  type ResponseJob,
  ResponseJobs,
  ResponseRecords,
  StoredItems,
} from '@sluice/responses';
import type { Logger } from '@sluice/telemetry';
import type { BackgroundContext, BackgroundTiming } from './background-context.ts';
import { pollJob } from './poll-job.ts';
import { runJob } from './run-job.ts';

export interface StartBackgroundOptions {
  config: Config;
  settings: RedisSettings;
  serve: BackgroundContext['serve'];
  logger: Logger;
  timing?: Partial<BackgroundTiming>;
}

export interface StartedBackground {
  /** Applies a reloaded configuration to later jobs. */
  update(next: Config): void;
  /** Claims no more jobs. After `graceMs`, returns those in flight to the queue. */
  close(graceMs: number): Promise<void>;
}

const TIMING: BackgroundTiming = { idleMs: 250, leaseMs: 30_000, heartbeatMs: 5_000 };
const POLL_SLOTS = 10;
/** An aborted run reports its usage, and stores a response that has just ended. */
const ABORT_GRACE_MS = 5_000;

type RunResponse = (job: ResponseJob, stopping: AbortSignal) => Promise<void>;

/** Starts to run background responses, and to poll those that vendors generate. */
export function startBackground({
  config,
  settings,
  serve,
  logger,
  timing,
}: StartBackgroundOptions): StartedBackground {
  const redis = openRedisConnection({ redis: settings, role: 'worker', logger });
  const { prefix } = config.redis;
  const keys = createResponseKeys(prefix);
  let current = config.responses;
  const times = { ...TIMING, ...timing };
  const contextOf = (): BackgroundContext => {
    const { retention_ms: retentionMs, log_bytes: logBytes } = current;
    const items = new StoredItems(redis, keys, retentionMs);
    return {
      jobs: new ResponseJobs({ redis, prefix, items, retentionMs, logBytes }),
      records: new ResponseRecords(redis, keys, items, retentionMs),
      log: new EventLog(redis, prefix),
      limiter: createLimiter(redis, { prefix, maxLedgerEntries: MAX_STREAM_ENTRIES }),
      serve,
      settings: () => current,
      timing: times,
      logger,
      now: Date.now,
    };
  };
  let context = contextOf();
  const startLoop = (kind: 'run' | 'poll', slots: () => number, run: RunResponse): JobLoop<ResponseJob> => {
    const loop: JobLoop<ResponseJob> = new JobLoop({
      claim: (free) => context.jobs.claim(kind, times.leaseMs, free),
      // After a failure, the lease ends, and then the job is claimed again.
      run: (job) =>
        run(job, loop.aborting).catch((error: unknown) =>
          logger.error({ err: error, response: job.id }, 'background response could not be processed'),
        ),
      slots,
      idleMs: times.idleMs,
      abortGraceMs: ABORT_GRACE_MS,
      claimFailed: (error) => logger.error({ err: error }, 'background responses could not be claimed'),
    });
    loop.start();
    return loop;
  };
  const loops = [
    startLoop(
      'run',
      () => current.max_running,
      (job, stopping) => runJob(context, job, stopping),
    ),
    startLoop(
      'poll',
      () => POLL_SLOTS,
      (job) => pollJob(context, job),
    ),
  ];
  return {
    update(next) {
      current = next.responses;
      context = contextOf();
    },
    async close(graceMs) {
      await Promise.all(loops.map((loop) => loop.close(graceMs)));
      redis.disconnect();
    },
  };
}
