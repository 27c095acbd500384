import { createJobLedger } from '../src/jobs/job-ledger.ts';
import { openJournal } from '../src/jobs/journal.ts';
import type { MediaJob } from '../src/jobs/media-job.ts';
import { createMediaArchive } from '../src/media/media-archive.ts';
import type { MediaVendor } from '../src/wires/media/media-vendor.ts';

export function testVendor(more: Partial<MediaVendor> = {}): MediaVendor {
  let count = 0;
  return {
    ledger: createJobLedger(openJournal(undefined)),
    archive: createMediaArchive(10_000_000),
    apiKey: 'sk-sandbox',
    accessKey: 'ak-sandbox',
    renderMs: 1000,
    visibleAfterMs: undefined,
    concurrency: {},
    now: Date.now,
    newId: () => `unique-${(count += 1)}`,
    ...more,
  };
}

/** Returns a small video job that was accepted at time 0 and renders for one second. */
export function testJob(more: Partial<MediaJob> = {}): MediaJob {
  return {
    id: 'job-1',
    wire: 'vidu',
    kind: 'video',
    task: 'task-1',
    model: 'm',
    prompt: 'kite',
    seconds: 1,
    width: 32,
    height: 32,
    count: 1,
    createdAt: 0,
    renderMs: 1000,
    inputs: [],
    ...more,
  };
}
