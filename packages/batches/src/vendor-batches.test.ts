import { type Batch, GatewayError, type VendorSubmission } from '@sluice/canonical';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BatchRig, DAY_MS, LEASE_MS } from '../test/batch-rig.ts';
import { crashingWorker, VENDOR_CRASH_POINTS, type VendorCrashPoint } from '../test/crashing-worker.ts';
import { LINE_NANOS, type ScriptedVendor } from '../test/scripted-vendor.ts';
import { LONG, type VendorRig, vendorRig } from '../test/vendor-rig.ts';

const LINES = 600;
let rig: VendorRig;
let vendor: ScriptedVendor;
beforeEach(async () => {
  rig = await vendorRig();
  vendor = rig.scripted;
});
afterEach(async () => {
  await rig.close();
  expect(rig.wrongBudgets).toEqual([]);
});

/** Serves requests until the vendor has the batch. Then the key no longer exists, so only results are recorded. */
const serveWithoutKey: BatchRig['serve'] = (request) => {
  if (vendor.batches.length === 0 || request.vendorLine?.step === 'record') return rig.serveAll(request);
  return Promise.reject(new GatewayError('invalid_api_key', 'The key no longer exists.'));
};

/** The vendor creates no batch. */
function refuse(refusal: VendorSubmission): ScriptedVendor['onSubmit'] {
  return () => {
    vendor.batches.pop();
    return refusal;
  };
}

/** Each line has one result and, if it was run, one charge. */
async function expectExact(batch: Batch, completed = LINES): Promise<void> {
  const results = await rig.results(batch);
  expect(new Set(results.map(({ custom_id: id }) => id)).size).toBe(LINES);
  expect(results.length).toBe(LINES);
  expect(batch.counts.completed).toBe(completed);
  expect([vendor.charges.size, vendor.batches.length, rig.calls.size]).toEqual([completed, 1, 0]);
  expect([Math.max(...vendor.charges.values()), Math.max(...vendor.counts.values())]).toEqual([1, 1]);
  // A worker that dies does not count the lines in flight: eight of each of three segments.
  expect(vendor.counts.size).toBeGreaterThanOrEqual(completed - 24);
  expect(await rig.limiter.spending('alice')).toMatchObject({ reserved: 0, total: completed * LINE_NANOS });
  expect(await rig.store.stats()).toMatchObject({ open: 0, waiting: 0 });
  expect((await rig.redis.keys(`*${batch.id}*`)).length).toBe(1);
}

describe('a batch that its vendor runs', () => {
  it('is submitted once, and has the results in the order of the input', LONG, async () => {
    vendor.onEncode = (customId) => (customId === 'line-5' ? 400 : 200);
    vendor.resultOf = (line) => (line === 9 ? undefined : { status: line % 10 === 0 ? 422 : 200 });
    const batch = await rig.create(LINES);
    rig.start();
    const end = await rig.endedAtVendor(batch);
    const { counts, status } = end;
    expect([status, counts.completed, counts.failed]).toEqual(['completed', 538, 62]);
    expect(vendor.batches.map(({ keys }) => keys.length)).toEqual([LINES - 1]);
    const results = await rig.results(end);
    const numbers = results.map(({ custom_id: id }) => Number(id.slice('line-'.length)));
    expect(numbers.slice(0, 538)).toEqual(numbers.slice(0, 538).toSorted((a, b) => a - b));
    const byId = new Map(results.map((result) => [result.custom_id, result]));
    const digits = batch.id.slice('batch_'.length);
    expect(byId.get('line-0')).toMatchObject({
      id: `batch_req_${digits}1`,
      response: { body: { says: `${digits}-1` } },
    });
    expect(byId.get('line-5')?.response).toMatchObject({ status_code: 400 });
    expect(byId.get('line-8')?.error?.code).toBe('result_missing');
    expect(byId.get('line-9')?.response?.status_code).toBe(422);
    // Each result is charged, and the refused and the missing one are not.
    expect([vendor.charges.size, Math.max(...vendor.charges.values())]).toEqual([598, 1]);
    expect(rig.calls.size).toBe(0);
    expect((await rig.redis.keys(`*${batch.id}*`)).length).toBe(1);
  });

  it('is found at the vendor if the response to its submission was lost', LONG, async () => {
    vendor.onSubmit = () => ({ kind: 'unclear', reason: 'timeout' });
    const batch = await rig.create(LINES);
    rig.start();
    await expectExact(await rig.endedAtVendor(batch));
  });

  it('fails if the vendor does not list it in time, and is not submitted again', LONG, async () => {
    vendor.onSubmit = () => ({ kind: 'unclear', reason: 'timeout' });
    vendor.onFind = () => ({ kind: 'missing' });
    const batch = await rig.create(LINES);
    rig.start();
    const { status, errors } = await rig.endedAtVendor(batch);
    expect([status, errors[0]?.code, vendor.batches.length]).toEqual(['failed', 'submission_unknown', 1]);
    expect(await rig.store.stats()).toMatchObject({ open: 0, waiting: 0 });
  });

  it.each([
    ['refuses it', () => (vendor.onSubmit = refuse({ kind: 'refused', reason: 'HTTP 404' }))],
    ['fails it', () => (vendor.end = 'failed')],
    ['cannot encode a request', () => (vendor.onEncode = (id) => (id === 'line-3' ? 204 : 200))],
  ])('is run by workers if the vendor %s', LONG, async (_, arrange) => {
    arrange();
    const batch = await rig.create(LINES);
    rig.start();
    const end = await rig.endedAtVendor(batch);
    expect([end.counts.completed, rig.calls.size, vendor.charges.size]).toEqual([LINES, LINES, 0]);
  });

  it('is submitted again after a refusal that did not create it', LONG, async () => {
    let refusals = 0;
    const postpone = refuse({ kind: 'postponed', reason: 'HTTP 429', retryAfterMs: 100 });
    vendor.onSubmit = (batch) => ((refusals += 1) > 2 ? { kind: 'accepted', id: batch.id } : postpone(batch));
    const batch = await rig.create(LINES);
    rig.start();
    await expectExact(await rig.endedAtVendor(batch));
    expect(refusals).toBe(3);
  });

  it('is canceled at the vendor, and has the results so far', LONG, async () => {
    vendor.end = undefined;
    vendor.resultOf = (line) => (line <= 100 ? { status: 200 } : undefined);
    const batch = await rig.create(LINES);
    rig.start();
    await rig.until(() => vendor.batches.length === 1);
    await rig.store.cancel('alice', batch.id);
    const end = await rig.endedAtVendor(batch);
    expect([end.status, end.counts.cancelled, vendor.batches[0]?.isCancelled]).toEqual(['cancelled', 500, true]);
    await expectExact(end, 100);
  });

  it.each([
    ['its window', undefined, 3_600_000, 'batch_cancelled'],
    ["the vendor's", 'expired', DAY_MS, 'batch_expired'],
  ] as const)('expires with the results so far at the end of %s', LONG, async (_, vendorEnd, windowMs, code) => {
    vendor.end = vendorEnd;
    vendor.resultOf = (line) => (line <= 100 ? { status: 200 } : line <= 200 ? { code } : undefined);
    const batch = await rig.create(LINES, { windowMs });
    rig.start();
    await rig.until(() => vendor.batches.length === 1);
    if (vendorEnd === undefined) rig.clock.now += windowMs;
    const end = await rig.endedAtVendor(batch, 1_000);
    expect([end.status, end.counts.expired]).toEqual(['expired', 500]);
    await expectExact(end, 100);
  });

  it('has the results that were paid for if the key of its owner is removed meanwhile', LONG, async () => {
    vendor.onEncode = (customId) => (customId === 'line-5' ? 400 : 200);
    const batch = await rig.create(LINES);
    rig.start({ serve: serveWithoutKey });
    const end = await rig.endedAtVendor(batch);
    expect([end.status, end.counts.failed]).toEqual(['completed', 1]);
    await expectExact(end, LINES - 1);
  });

  it('has the results that were paid for if its input is deleted after the submission', LONG, async () => {
    vendor.end = undefined;
    const batch = await rig.create(LINES);
    rig.start();
    await rig.until(() => vendor.batches.length === 1);
    await rig.files.remove('alice', batch.inputFileId);
    await rig.files.sweep();
    vendor.end = 'completed';
    await expectExact(await rig.endedAtVendor(batch));
  });

  it('fails all lines if its input is deleted before the submission', LONG, async () => {
    const batch = await rig.create(LINES);
    await rig.store.change('alice', batch.id, { paused: true });
    rig.start();
    await rig.until(async () => (await rig.find(batch)).status === 'in_progress');
    await rig.files.remove('alice', batch.inputFileId);
    await rig.store.change('alice', batch.id, { paused: false });
    const end = await rig.endedAtVendor(batch);
    expect([end.counts.failed, vendor.batches.length, rig.calls.size]).toEqual([LINES, 0, 0]);
  });

  it('has unknown outcomes if its account does not exist any more', LONG, async () => {
    const batch = await rig.create(LINES, { windowMs: 3_600_000 });
    vendor.end = undefined;
    rig.start();
    await rig.until(() => vendor.batches.length === 1);
    vendor.vendors.open = () => undefined;
    rig.clock.now += 2 * 3_600_000 + 1_000;
    const end = await rig.endedAtVendor(batch, 1_000);
    const [first] = await rig.results(end);
    expect([end.status, end.counts.failed, first?.error?.code]).toEqual(['expired', LINES, 'outcome_unknown']);
  });

  it('cannot be paused after its submission, and is not submitted while it is paused', LONG, async () => {
    vendor.end = undefined;
    const paused = await rig.create(LINES);
    await rig.store.change('alice', paused.id, { paused: true });
    rig.start();
    await rig.until(async () => (await rig.find(paused)).status === 'in_progress');
    const other = await rig.create(1);
    await rig.until(() => vendor.batches.length === 1);
    expect(vendor.batches[0]?.batchId).toBe(other.id);
    await expect(rig.store.change('alice', other.id, { paused: true })).rejects.toMatchObject({
      code: 'batch_conflict',
    });
    await rig.store.change('alice', other.id, { priority: 5 });
    await rig.store.change('alice', paused.id, { paused: false });
    await rig.until(() => vendor.batches.length === 2);
  });
});

/** The vendor did not receive the batch, but only the worker that died knew it. */
const UNKNOWN: ReadonlySet<VendorCrashPoint> = new Set(['after the intent to submit']);

describe.each(VENDOR_CRASH_POINTS)('a worker that dies %s', (point) => {
  it('loses no result, and submits and charges nothing twice', LONG, async () => {
    const batch = await rig.create(LINES);
    const { params, crashed } = crashingWorker({ ...rig, serve: rig.serveAll }, point, 1, vendor);
    rig.start(params);
    await crashed;
    rig.clock.now += LEASE_MS + 1;
    rig.start();
    const end = await rig.endedAtVendor(batch);
    if (UNKNOWN.has(point)) {
      expect([end.status, end.errors[0]?.code, vendor.batches.length]).toEqual(['failed', 'submission_unknown', 0]);
      return;
    }
    expect(end.status).toBe('completed');
    await expectExact(end);
  });
});
