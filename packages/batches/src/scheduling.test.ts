import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BatchRig, batchRig, DAY_MS, gate, total } from '../test/batch-rig.ts';

const LONG = { timeout: 60_000 };
let rig: BatchRig;
beforeEach(async () => {
  rig = await batchRig();
});
afterEach(() => rig.close());

describe('scheduling', () => {
  it('pauses between lines, and resumes', LONG, async () => {
    const { vendor, release } = gate();
    rig.vendor = vendor;
    const batch = await rig.create(300);
    rig.startWorker({ maxInFlight: 2 });
    await expect.poll(() => rig.calls.size, LONG).toBe(2);
    await rig.store.change('alice', batch.id, { paused: true });
    release();
    await expect.poll(async () => (await rig.find(batch)).counts.completed, LONG).toBe(2);
    await rig.ended(await rig.create(1, {}, 'bob', 'other-'));
    expect(await rig.find(batch)).toMatchObject({ status: 'in_progress', counts: { completed: 2 } });
    await rig.store.change('alice', batch.id, { paused: false });
    expect((await rig.ended(batch)).counts).toMatchObject({ completed: 300 });
    expect(total(rig.calls)).toBe(301);
  });

  it('is not paused after a cancellation', LONG, async () => {
    const { vendor, release } = gate();
    rig.vendor = vendor;
    const batch = await rig.create(3);
    rig.startWorker({ maxInFlight: 1 });
    await expect.poll(() => rig.calls.size, LONG).toBe(1);
    await rig.store.change('alice', batch.id, { paused: true });
    expect(await rig.store.cancel('alice', batch.id)).toMatchObject({ status: 'cancelling', paused: false });
    release();
    rig.clock.now += DAY_MS / 1_000;
    expect(await rig.ended(batch)).toMatchObject({ status: 'cancelled', paused: false });
  });

  it('runs the batch with the highest priority first', LONG, async () => {
    const order: string[] = [];
    rig.vendor = (customId) => {
      order.push(customId);
      return { status: 200 };
    };
    // Of one owner, because owners share the slots. `leases.test.ts` compares priorities of several owners.
    const low = await rig.create(1, {}, 'alice', 'low-');
    const high = await rig.create(1, { priority: 1 }, 'alice', 'high-');
    await Promise.all([
      rig.store.change('alice', low.id, { paused: true }),
      rig.store.change('alice', high.id, { paused: true }),
    ]);
    // A paused batch is validated.
    const validated = rig.startWorker();
    await expect
      .poll(async () => [(await rig.find(low)).status, (await rig.find(high)).status], LONG)
      .toEqual(['in_progress', 'in_progress']);
    await validated.close(1_000);
    await Promise.all([
      rig.store.change('alice', low.id, { paused: false }),
      rig.store.change('alice', high.id, { paused: false }),
    ]);
    rig.startWorker({ maxInFlight: 1 });
    await Promise.all([rig.ended(low), rig.ended(high)]);
    expect(order).toEqual(['high-0', 'low-0']);
  });

  it('shares the slots between owners, also if one has more lines', LONG, async () => {
    const order: string[] = [];
    rig.vendor = (customId) => {
      order.push(customId);
      return { status: 200 };
    };
    const many = await rig.create(1_000, {}, 'alice', 'alice-');
    rig.startWorker({ maxInFlight: 2 });
    await expect.poll(() => order.length, LONG).toBeGreaterThan(10);
    const few = await rig.create(100, {}, 'bob', 'bob-');
    await rig.ended(few);
    const from = order.findIndex((id) => id.startsWith('bob-'));
    const until = order.findLastIndex((id) => id.startsWith('bob-'));
    // While bob has lines, every other line is one of his.
    expect(until - from).toBeLessThan(220);
    expect((await rig.ended(many)).counts.completed).toBe(1_000);
  });

  it('stops with the lines in flight, and another worker continues', LONG, async () => {
    const { vendor, release } = gate();
    rig.vendor = vendor;
    const batch = await rig.create(300);
    const worker = rig.startWorker({ maxInFlight: 2 });
    await expect.poll(() => rig.calls.size, LONG).toBe(2);
    const closed = worker.close(30_000);
    release();
    await closed;
    expect(rig.calls.size).toBe(2);
    rig.startWorker();
    expect((await rig.ended(batch)).counts).toMatchObject({ completed: 300 });
    expect(total(rig.calls)).toBe(300);
  });
});
