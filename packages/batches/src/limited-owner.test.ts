import { afterEach, beforeEach, expect, it } from 'vitest';
import { type BatchRig, batchRig, lineOf, refusal, total } from '../test/batch-rig.ts';

const LONG = { timeout: 30_000 };
const MIB = 1024 * 1024;
/** The pause of a key that has reached its rate limit, by the clock of the rig. */
const PAUSE_MS = 20;
let rig: BatchRig;
beforeEach(async () => {
  rig = await batchRig();
});
afterEach(() => rig.close());

it('runs the lines of other keys while one with large lines waits for its rate limit', LONG, async () => {
  const padding = 'x'.repeat(12 * MIB);
  const ids = ['limited-0', 'limited-1', 'limited-2', 'limited-3'];
  const lines = ids.map((user) => lineOf(user, { body: { model: 'small', user, padding } }));
  const limited = await rig.createFrom(lines.join(''));
  const areSent = Promise.withResolvers<void>();
  rig.vendor = async (customId) => {
    if (!customId.startsWith('limited-')) return { status: 200 };
    // The first lines are in flight together.
    if (total(rig.calls) === 2) areSent.resolve();
    await areSent.promise;
    return refusal(PAUSE_MS, {});
  };
  rig.startWorker({ maxLineBytes: 16 * MIB });
  await areSent.promise;
  const other = await rig.create(3, {}, 'bob', 'other-');
  expect((await rig.ended(other)).counts.completed).toBe(3);
  rig.vendor = () => ({ status: 200 });
  const completed = async (): Promise<number> => {
    rig.clock.now += PAUSE_MS;
    return (await rig.find(limited)).counts.completed;
  };
  await expect.poll(completed, LONG).toBe(ids.length);
});
