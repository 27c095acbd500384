import { scriptedVendor, fastTaskSettings } from '@sluice/testkit';
import { createLogger } from '@sluice/telemetry';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { StoreRig } from '../../../test/store-rig.ts';
import type { Move, MoveResult } from '../../store/move.ts';
import { TaskStore } from '../../store/task-store.ts';
import { PolledTasks } from './step-job.ts';
import { DownloadSlots } from './download-slots.ts';
import { submitStep } from './submit-step.ts';
import { WorkerAccounts } from '../accounts/worker-accounts.ts';

let rig: StoreRig;
beforeEach(() => {
  rig = new StoreRig();
});
afterEach(() => rig.close());

/** A store that stalls after recording the start of a submission. */
class StallingStore extends TaskStore {
  stallMs = 0;
  override async move(id: string, move: Move): Promise<MoveResult> {
    const moved = await super.move(id, move);
    if (move.to === 'submitting') rig.clock += this.stallMs;
    return moved;
  }
}

it.each([
  [900, 1, 'in_progress'],
  [1_100, 0, 'queued'],
])(
  'sends the submission only within the lock: after a pause of %i ms of 1,000 it sends %i',
  async (stallMs, sent, status) => {
    const id = await rig.admitted();
    const store = new StallingStore(rig.redis, rig.keys, {
      now: () => rig.clock,
      retentionMs: 1_000,
      submitUnknownMs: 1,
    });
    store.stallMs = stallMs;
    const vendor = scriptedVendor();
    const record = await rig.moved(id, { from: ['queued'], claim: true });
    const settings = fastTaskSettings({ lockMs: 1_000 });
    await submitStep(
      {
        store,
        content: { write: fail, open: fail, check: fail, remove: fail, clearOlder: fail },
        accounts: new WorkerAccounts({ acme: { maxSubmitting: 1, video: vendor } }),
        fetchInput: fail,
        wake: () => undefined,
        downloads: new DownloadSlots(2),
        peers: [],
        polled: new PolledTasks(),
        settings,
        logger: createLogger({ level: 'silent', name: 'test' }),
        now: () => rig.clock,
        random: () => 0.5,
        signal: new AbortController().signal,
      },
      record,
    );
    expect(vendor.submissions.get(id) ?? 0).toBe(sent);
    expect((await rig.store.load(id))?.status).toBe(status);
  },
);

function fail(): never {
  throw new Error('nothing is stored or fetched here');
}
