import { isFinalBatch } from '@sluice/canonical';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LEASE_MS } from '../test/batch-rig.ts';
import { crashingWorker, VENDOR_CRASH_POINTS } from '../test/crashing-worker.ts';
import { LINE_NANOS } from '../test/scripted-vendor.ts';
import { ESTIMATE_NANOS, LONG, type VendorRig, vendorRig } from '../test/vendor-rig.ts';

let rig: VendorRig;
beforeEach(async () => {
  rig = await vendorRig();
});
afterEach(async () => {
  await rig.close();
  expect(rig.wrongBudgets).toEqual([]);
});

const reserved = async () => (await rig.limiter.spending('alice')).reserved;

/** @param budgetUsd undefined: the key has no budget */
function setBudget(budgetUsd: number | undefined, costUsd: number | null = ESTIMATE_NANOS / 1e9): void {
  const budget =
    budgetUsd === undefined ? {} : { budget: { limit_usd: budgetUsd, remaining_usd: budgetUsd, period: 'month' } };
  rig.estimate = { status: 200, body: { cost_usd: costUsd, exceeds: [], ...budget } };
}

describe('the reservation of a batch that its vendor runs', () => {
  it('lets only as many batches start as the budget covers, and is released at their ends', LONG, async () => {
    setBudget(1);
    rig.scripted.end = undefined;
    const batches = await Promise.all(Array.from({ length: 6 }, () => rig.create(10)));
    for (const worker of [1, 2]) rig.start({ pollMs: worker });
    const all = () => Promise.all(batches.map((batch) => rig.find(batch)));
    const refused = async () => (await all()).filter(({ status }) => status === 'failed');
    await rig.until(async () => rig.scripted.batches.length + (await refused()).length === 6);
    expect([rig.scripted.batches.length, await reserved()]).toEqual([4, 4 * ESTIMATE_NANOS]);
    expect((await refused())[0]?.errors).toEqual([
      {
        code: 'insufficient_quota',
        message:
          'The batch may cost $0.25, but other requests have meanwhile used or reserved the budget of this API key. Lower the output limits, or create the batch later.',
      },
    ]);
    rig.scripted.end = 'completed';
    for (const batch of batches) await rig.endedAtVendor(batch);
    expect(await rig.limiter.spending('alice')).toMatchObject({ reserved: 0, month: 40 * LINE_NANOS });
    expect((await rig.endedAtVendor(await rig.create(10))).status).toBe('completed');
  });

  it('is released before workers send the lines', LONG, async () => {
    rig.scripted.onSubmit = () => {
      rig.scripted.batches.pop();
      return { kind: 'refused', reason: 'HTTP 404' };
    };
    const amounts: number[] = [];
    rig.vendor = async () => {
      amounts.push(await reserved());
      return { status: 200 };
    };
    const batch = await rig.create(10);
    rig.start();
    expect((await rig.endedAtVendor(batch)).counts.completed).toBe(10);
    expect(amounts).toEqual(Array(10).fill(0));
  });

  it('covers results that cost more than the estimate', LONG, async () => {
    setBudget(1, LINE_NANOS / 1e9);
    const batch = await rig.create(10);
    rig.start();
    await expect.poll(() => (rig.clock.now += 50) && rig.find(batch), LONG).toMatchObject({ status: 'completed' });
    expect(await rig.limiter.spending('alice')).toMatchObject({ reserved: 0, total: 10 * LINE_NANOS });
  });

  it.each([
    ['the key has no budget', undefined, 0.25],
    ['the price is unknown', 1, null],
  ])('does not exist if %s', LONG, async (_, budgetUsd, costUsd) => {
    setBudget(budgetUsd, costUsd);
    rig.scripted.end = undefined;
    await rig.create(10);
    rig.start();
    await expect.poll(() => (rig.clock.now += 50) && rig.scripted.batches.length, LONG).toBe(1);
    expect(await reserved()).toBe(0);
  });

  it('is exact after any crashes', { timeout: 120_000 }, async () => {
    const crash = fc.record({ point: fc.constantFrom(...VENDOR_CRASH_POINTS), nth: fc.integer({ min: 1, max: 20 }) });
    const ended = fc.constantFrom('completed' as const, 'expired' as const, 'failed' as const);
    const runs = fc.asyncProperty(fc.array(crash, { minLength: 1, maxLength: 3 }), ended, async (crashes, end) => {
      await rig.close();
      rig = await vendorRig();
      rig.scripted.end = end;
      rig.scripted.resultOf = (line) => (line % 3 === 0 ? undefined : { status: 200 });
      const batch = await rig.create(300);
      for (const { point, nth } of crashes) {
        const { params, crashed } = crashingWorker({ ...rig, serve: rig.serveAll }, point, nth, rig.scripted);
        let hasCrashed = false;
        void crashed.then(() => (hasCrashed = true));
        const worker = rig.start(params);
        await rig.until(async () => hasCrashed || isFinalBatch(await rig.find(batch)));
        if (!hasCrashed) await worker.close(0);
        rig.clock.now += LEASE_MS + 1;
      }
      rig.start();
      await rig.endedAtVendor(batch);
      const { reserved: left, total } = await rig.limiter.spending('alice');
      expect([left, total]).toEqual([0, rig.scripted.charges.size * LINE_NANOS]);
      expect(rig.wrongBudgets).toEqual([]);
    });
    await fc.assert(runs, { numRuns: 8 });
  });
});
