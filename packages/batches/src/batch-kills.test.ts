import type { Batch } from '@sluice/canonical';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BatchRig, batchRig, LEASE_MS } from '../test/batch-rig.ts';
import { CRASH_POINTS, type CrashPoint, crashingWorker } from '../test/crashing-worker.ts';

const LINES = 600;
const LONG = { timeout: 120_000 };
let rig: BatchRig;
beforeEach(async () => {
  rig = await batchRig();
  rig.vendor = (customId) =>
    customId.endsWith('3')
      ? { status: 422, body: { id: customId } }
      : { status: 200, body: { id: customId }, usage: { inputTokens: 3, outputTokens: 2 } };
});
afterEach(() => rig.close());

/** Starts a worker that dies, and lets its leases end. */
async function crashAt(point: CrashPoint, nth: number, maxInFlight: number): Promise<void> {
  const { params, crashed } = crashingWorker(rig, point, nth);
  rig.startWorker({ ...params, maxInFlight });
  await crashed;
  rig.clock.now += LEASE_MS + 1;
}

/** Each line has exactly one result, and the counts are those of the files. */
async function expectExact(batch: Batch): Promise<{ unknown: number }> {
  const ended = await rig.ended(batch);
  const results = await rig.results(ended);
  const unknown = results.filter(({ error }) => error?.code === 'outcome_unknown');
  const failed = results.filter(({ error, response }) => error || (response?.status_code ?? 0) >= 400);
  expect(ended.status).toBe('completed');
  expect(results.length).toBe(LINES);
  expect(new Set(results.map(({ custom_id: id }) => id)).size).toBe(LINES);
  expect(ended.counts).toMatchObject({ total: LINES, completed: LINES - failed.length, failed: failed.length });
  const completed = LINES - failed.length;
  expect(ended.usage).toMatchObject({ inputTokens: completed * 3, outputTokens: completed * 2 });
  expect(await rig.store.stats()).toMatchObject({ open: 0, waiting: 0 });
  return { unknown: unknown.length };
}

const sentTwice = () => [...rig.calls.values()].filter((count) => count > 1).length;
/**
 * How many outcomes are unknown if a worker dies with one line in flight. While it ends a segment, a line of the next
 * segment may be in flight.
 */
const UNKNOWN: Partial<Record<CrashPoint, [min: number, max: number]>> = {
  'after the intent': [1, 1],
  'after the call': [1, 1],
  'after the part': [0, 1],
  'after the segment': [0, 1],
};
const ONCE: ReadonlySet<CrashPoint> = new Set(['after the file', 'after the end']);

describe.each(CRASH_POINTS)('a worker that dies %s', (point) => {
  it('loses no result, and sends no line twice', LONG, async () => {
    const batch = await rig.create(LINES);
    await crashAt(point, ONCE.has(point) ? 1 : 2, 1);
    rig.startWorker();
    const { unknown } = await expectExact(batch);
    const [min, max] = UNKNOWN[point] ?? [0, 0];
    expect(unknown).toBeGreaterThanOrEqual(min);
    expect(unknown).toBeLessThanOrEqual(max);
    expect(sentTwice()).toBe(0);
    expect(rig.calls.size).toBeGreaterThanOrEqual(LINES - unknown);
  });
});

const crash = fc.record({
  point: fc.constantFrom(...CRASH_POINTS.slice(0, 6)),
  nth: fc.integer({ min: 1, max: 100 }),
});
const crashes = fc.array(crash, { minLength: 6, maxLength: 6 });

describe('workers that die one after the other', () => {
  it.each([[false], [true]])(
    'leave exactly one result for each line, with retry_unknown: %s',
    LONG,
    async (retryUnknown) => {
      await fc.assert(
        fc.asyncProperty(crashes, async (dying) => {
          rig.calls.clear();
          const batch = await rig.create(LINES, { retryUnknown });
          for (const { point, nth } of dying) {
            const isOfLine = CRASH_POINTS.indexOf(point) < 4;
            const { params, crashed } = crashingWorker(rig, point, isOfLine ? nth : 1);
            const worker = rig.startWorker({ ...params, maxInFlight: 8 });
            const survived = await Promise.race([crashed.then(() => false), rig.ended(batch).then(() => true)]);
            // Otherwise, it would claim segments of the next batch, and die with them.
            if (survived) await worker.close(0);
            rig.clock.now += LEASE_MS + 1;
          }
          const last = rig.startWorker();
          const { unknown } = await expectExact(batch);
          await last.close(0);
          expect(unknown).toBeLessThanOrEqual(retryUnknown ? 0 : dying.length * 8);
          if (!retryUnknown) expect(sentTwice()).toBe(0);
        }),
        { numRuns: 3 },
      );
    },
  );

  it('cannot change a batch that ended without them', LONG, async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    rig.vendor = () => promise.then(() => ({ status: 200 }));
    const batch = await rig.create(1);
    const stale = rig.startWorker();
    await expect.poll(() => rig.calls.size, LONG).toBe(1);
    rig.clock.now += LEASE_MS + 1;
    const ended = await rig.ended(batch);
    expect(ended.counts).toMatchObject({ completed: 0, failed: 1 });
    resolve();
    await stale.close(10_000);
    expect(await rig.find(batch)).toEqual(ended);
    expect((await rig.redis.keys(`*${batch.id}*`)).length).toBe(1);
  });

  it('do not stop a second worker, which continues with their segments', LONG, async () => {
    const batch = await rig.create(LINES);
    const { params, crashed } = crashingWorker(rig, 'after the call', 5);
    rig.startWorker({ ...params, maxInFlight: 4 });
    await crashed;
    rig.startWorker();
    await expect.poll(async () => (await rig.find(batch)).counts.completed, LONG).toBeGreaterThan(300);
    expect((await rig.find(batch)).status).toBe('in_progress');
    rig.clock.now += LEASE_MS + 1;
    await expectExact(batch);
  });
});
