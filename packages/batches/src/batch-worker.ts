import type { FileStore } from '@sluice/files';
import { JobLoop } from '@sluice/lifecycle';
import type { Logger } from '@sluice/telemetry';
import type { Redis } from 'ioredis';
import { createBatchKeys } from './store/batch-keys.ts';
import { defineBatchScripts } from './store/batch-scripts.ts';
import { ByteBudget } from './worker/byte-budget.ts';
import { finalizeBatch } from './worker/finalize-batch.ts';
import { type ClaimedJob, Leases } from './worker/leases.ts';
import { runSegment } from './worker/run-segment.ts';
import type { SegmentRun } from './worker/segment-run.ts';
import { SlotPools, type SlotUsage } from './worker/slot-pools.ts';
import { sweepBatches } from './worker/sweep-batches.ts';
import { validateBatch } from './worker/validate-batch.ts';
import { recordSegment } from './vendor/record-segment.ts';
import { runVendorBatch } from './vendor/vendor-run.ts';
import type {
  BatchObserver,
  ServeLine,
  VendorBatches,
  WorkerContext,
  WorkerSettings,
} from './worker/worker-context.ts';

export interface BatchWorkerOptions {
  /** A connection whose commands wait while Redis is unavailable. The caller closes it. */
  redis: Redis;
  /** The value of `redis.prefix` in the configuration. */
  prefix: string;
  files: FileStore;
  settings: WorkerSettings;
  serve: ServeLine;
  /** By default, workers send all lines. */
  vendors?: VendorBatches | undefined;
  /** Returns the name of the upstream that serves a model first. The lines of an upstream share its slots. */
  upstreamOf: (model: string | undefined) => string;
  observer?: BatchObserver | undefined;
  logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  now?: () => number;
}

export interface BatchWorker {
  /** The lines in flight and the limits of this worker at these upstreams. */
  usage(upstreams: readonly string[]): SlotUsage[];
  /** Starts no further lines, and waits for those in flight. After `graceMs`, aborts them. */
  close(graceMs: number): Promise<void>;
}

/** Maximum jobs of one worker, so that its memory is bounded with any number of upstreams. */
const MAX_JOBS = 32;
/** Maximum bytes of the lines in memory. A line is in memory three times: as read, as parsed, and as sent. */
const LINE_BYTES = 32 * 1024 * 1024;
const SWEEP_MS = 60_000;
const NO_VENDORS: VendorBatches = {
  accountOf: () => undefined,
  open: () => undefined,
  charge: () => Promise.resolve(false),
};

/**
 * Runs batches: validates their input, sends their lines, and completes their files. Any number of processes can share
 * the work. If one dies, others continue with its jobs when its leases end.
 */
export function startBatchWorker(options: BatchWorkerOptions): BatchWorker {
  const { redis, prefix, settings, logger, upstreamOf, now = Date.now } = options;
  defineBatchScripts(redis);
  const keys = createBatchKeys(prefix);
  const pools = new SlotPools({ upstreamOf, maxInFlight: settings.maxInFlight, now });
  const runs = new Set<SegmentRun>();
  let sweepAt = 0;
  const loop = new JobLoop<ClaimedJob>({
    async claim() {
      if (sweepAt <= now()) {
        sweepAt = now() + SWEEP_MS;
        await sweepBatches(context).catch((error: unknown) =>
          logger.error({ err: error }, 'expired batches could not be removed'),
        );
      }
      const claimed = await context.leases.claim(pools.busy([...runs]));
      return claimed ? [claimed] : [];
    },
    run: (claimed) => runJob(context, claimed, runs, () => loop.wake()),
    slots: () => MAX_JOBS,
    idleMs: settings.pollMs,
    claimFailed: (error) => logger.error({ err: error }, 'batch jobs could not be claimed'),
  });
  const context: WorkerContext = {
    ...options,
    now,
    keys,
    observer: options.observer,
    vendors: options.vendors ?? NO_VENDORS,
    leases: new Leases({ redis, root: keys.root, leaseMs: settings.leaseMs, now, logger }),
    memory: new ByteBudget(LINE_BYTES),
    poolOf: (model) => pools.of(model),
    stopping: loop.stopping,
    aborting: loop.aborting,
  };
  loop.start();
  return {
    usage: (upstreams) => pools.usage(upstreams),
    async close(graceMs) {
      await loop.close(graceMs);
      context.leases.close();
    },
  };
}

async function runJob(
  context: WorkerContext,
  claimed: ClaimedJob,
  runs: Set<SegmentRun>,
  wake: () => void,
): Promise<void> {
  const { leases, logger, settings, stopping } = context;
  const { lease } = claimed;
  try {
    await performJob(context, claimed, runs, wake);
  } catch (error) {
    if (!stopping.aborted) {
      logger.warn({ err: error, batch: lease.id, job: lease.job }, 'batch job failed; it will be repeated');
    }
    // If the release fails, the lease ends, and the job is then repeated.
    await leases.release(lease, stopping.aborted ? 0 : settings.retryMs).catch(() => leases.forget(lease));
  }
}

/** @param runs has the segment while it runs. @param wake lets the worker claim the next job */
async function performJob(
  context: WorkerContext,
  claimed: ClaimedJob,
  runs: Set<SegmentRun>,
  wake: () => void,
): Promise<void> {
  switch (claimed.lease.job) {
    case 'validate':
      return validateBatch(context, claimed);
    case 'vendor':
      return runVendorBatch(context, claimed);
    case 'finalize':
      return finalizeBatch(context, claimed);
    default: {
      const { vendor } = claimed.batch;
      if (vendor) return recordSegment(context, claimed, vendor);
      const { run, ended } = runSegment(context, claimed, wake);
      runs.add(run);
      return ended.finally(() => runs.delete(run));
    }
  }
}
