import { parseSegment } from '../input/segments.ts';
import type { ClaimedJob } from './leases.ts';
import { isInputGone } from './read-lines.ts';
import { SegmentRun } from './segment-run.ts';
import type { WorkerContext } from './worker-context.ts';
import { writeParts } from './write-parts.ts';

export interface StartedSegment {
  run: SegmentRun;
  ended: Promise<void>;
}

/**
 * Runs a segment, stores its results, and ends it. Releases it if it is not completed.
 * @param onShort called when fewer lines are left than can be in flight
 */
export function runSegment(context: WorkerContext, claimed: ClaimedJob, onShort: () => void): StartedSegment {
  const run = new SegmentRun(context, claimed, onShort);
  return { run, ended: complete(context, claimed, run) };
}

async function complete(context: WorkerContext, { lease, batch, segment }: ClaimedJob, run: SegmentRun) {
  const { redis, keys, leases, settings, now } = context;
  const end = await run.run().catch(async (error: unknown) => {
    if (!isInputGone(error, lease.closing.aborted)) throw error;
    await run.failAll();
    return 'done';
  });
  switch (end) {
    case 'lost':
      return leases.forget(lease);
    case 'paused':
    case 'stopping':
      return leases.release(lease);
    case 'failed':
      return leases.release(lease, settings.retryMs);
  }
  await writeParts(context, lease, batch, parseSegment(segment));
  await redis.batchesEndSegment(keys.root, lease.id, lease.job, lease.token, now());
  leases.forget(lease);
}
