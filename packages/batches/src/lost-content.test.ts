import { ContentMissingError } from '@sluice/files';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type BatchRig, batchRig, DAY_MS } from '../test/batch-rig.ts';

const LONG = { timeout: 60_000 };
let rig: BatchRig;
beforeEach(async () => {
  rig = await batchRig();
});
afterEach(() => rig.close());

/** Starts a worker that has lost the content of the input after it was validated. */
function startWithoutContent(): void {
  const open: BatchRig['files']['open'] = (id, range) =>
    range ? Promise.reject(new ContentMissingError('files/lost')) : rig.files.open(id);
  rig.startWorker({ retryMs: 1, leaseMs: 10 * DAY_MS, files: { ...rig.files, open } });
}

it('ends a canceled batch whose input is lost', LONG, async () => {
  const batch = await rig.create(3);
  startWithoutContent();
  await expect.poll(async () => (await rig.find(batch)).status, LONG).toBe('in_progress');
  await rig.store.cancel('alice', batch.id);
  const status = async () => {
    rig.clock.now += 1;
    return (await rig.find(batch)).status;
  };
  await expect.poll(status, { timeout: 10_000 }).toBe('cancelled');
  expect((await rig.find(batch)).counts).toMatchObject({ failed: 3 });
});

it('ends an expired batch whose input is lost', LONG, async () => {
  const batch = await rig.create(3);
  startWithoutContent();
  await expect.poll(async () => (await rig.find(batch)).status, LONG).toBe('in_progress');
  rig.clock.now += DAY_MS;
  const status = async () => {
    rig.clock.now += 1;
    return (await rig.find(batch)).status;
  };
  await expect.poll(status, { timeout: 10_000 }).toBe('expired');
  expect(rig.calls.size).toBe(0);
});
