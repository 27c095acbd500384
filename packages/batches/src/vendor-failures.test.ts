import { setTimeout as sleep } from 'node:timers/promises';
import { type Batch, VendorResultsGoneError } from '@sluice/canonical';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BatchRig } from '../test/batch-rig.ts';
import type { ScriptedVendor } from '../test/scripted-vendor.ts';
import { LONG, TIMES, type VendorRig, vendorRig } from '../test/vendor-rig.ts';

const LINES = 300;
const HOUR_MS = 3_600_000;
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

const codesOf = async (batch: Batch) => new Set((await rig.results(batch)).map(({ error }) => error?.code));
const stolenBy = (batch: Batch) => rig.redis.hset(`{${rig.prefix}}:batches:tokens`, `${batch.id} vendor`, 'another');

describe('a lookup of a lost submission', () => {
  it('continues while the vendor cannot be searched, and its account does not exist', LONG, async () => {
    vendor.onSubmit = () => ({ kind: 'unclear', reason: 'timeout' });
    vendor.onFind = () => ({ kind: 'unclear', reason: 'HTTP 429' });
    const batch = await rig.create(LINES);
    rig.start();
    await rig.until(() => vendor.batches.length === 1);
    const { vendors, capability } = vendor;
    const from = rig.clock.now;
    await rig.until(() => rig.clock.now > from + 2 * TIMES.lookUpMs);
    vendors.open = () => undefined;
    await rig.until(() => rig.clock.now > from + 4 * TIMES.lookUpMs);
    vendors.open = () => capability;
    vendor.onFind = (found) => found;
    const { status, counts } = await rig.endedAtVendor(batch);
    expect([status, counts.completed, vendor.batches.length]).toEqual(['completed', LINES, 1]);
  });

  it('ends an hour after the expiry if the vendor can never be searched', LONG, async () => {
    vendor.onSubmit = () => ({ kind: 'unclear', reason: 'timeout' });
    vendor.onFind = () => ({ kind: 'unclear', reason: 'HTTP 500' });
    const batch = await rig.create(LINES, { windowMs: HOUR_MS });
    rig.start();
    await rig.until(() => vendor.batches.length === 1);
    rig.clock.now += 2 * HOUR_MS + 1_000;
    const { status, errors } = await rig.endedAtVendor(batch, 1_000);
    expect([status, errors[0]?.code]).toEqual(['failed', 'submission_unknown']);
    expect(errors[0]?.message).toContain('could not be searched');
  });

  it('gives nothing up after the worker lost the batch to another one', LONG, async () => {
    const batch = await rig.create(1);
    vendor.onSubmit = () => ({ kind: 'unclear', reason: 'timeout' });
    let isStolen = false;
    vendor.capability.find = async () => {
      isStolen ||=
        (await rig.redis.hget(`{${rig.prefix}}:batches:batch:${batch.id}`, 'vendor'))?.includes('missingSince') ===
        true;
      if (isStolen) await stolenBy(batch);
      rig.clock.now += isStolen ? TIMES.lookUpMs : 0;
      return { kind: 'missing' };
    };
    const worker = rig.start();
    await rig.until(() => isStolen);
    await worker.close(1_000);
    const { outputUpload } = await rig.redis.hgetall(`{${rig.prefix}}:batches:batch:${batch.id}`);
    expect((await rig.files.findUpload('alice', outputUpload ?? '')).status).toBe('pending');
  });
});

describe('a cancellation', () => {
  it('is repeated until the vendor accepts it', LONG, async () => {
    vendor.end = undefined;
    vendor.resultOf = (line) => (line <= 100 ? { status: 200 } : undefined);
    const cancel = vendor.capability.cancel.bind(vendor.capability);
    let refusals = 0;
    vendor.capability.cancel = (id, signal) =>
      (refusals += 1) > 3 ? cancel(id, signal) : Promise.reject(new Error('HTTP 429'));
    const batch = await rig.create(LINES);
    rig.start();
    await rig.until(() => vendor.batches.length === 1);
    await rig.store.cancel('alice', batch.id);
    const { status, counts } = await rig.endedAtVendor(batch);
    expect([status, counts.completed, counts.cancelled]).toEqual(['cancelled', 100, 200]);
  });
});

describe('results that cannot be downloaded', () => {
  it('are unknown at once if the vendor deleted them', LONG, async () => {
    vendor.capability.openResults = () => Promise.reject(new VendorResultsGoneError('HTTP 404'));
    const batch = await rig.create(LINES);
    rig.start();
    const end = await rig.endedAtVendor(batch);
    expect([end.status, end.counts.failed, await codesOf(end)]).toEqual([
      'completed',
      LINES,
      new Set(['outcome_unknown']),
    ]);
  });

  it('are unknown an hour after the expiry if the vendor never responds', LONG, async () => {
    vendor.capability.openResults = () => Promise.reject(new Error('HTTP 503'));
    const batch = await rig.create(LINES, { windowMs: HOUR_MS });
    rig.start();
    await rig.until(() => vendor.batches.length === 1);
    rig.clock.now += 2 * HOUR_MS + 1_000;
    const end = await rig.endedAtVendor(batch, 1_000);
    expect([end.counts.failed, await codesOf(end)]).toEqual([LINES, new Set(['outcome_unknown'])]);
  });
});

describe('a worker that stalled', () => {
  it('counts nothing for results that another worker has charged', LONG, async () => {
    const charge = vendor.vendors.charge.bind(vendor.vendors);
    vendor.vendors.charge = async (text, due) => {
      await charge(text, due);
      return charge(text, due);
    };
    const batch = await rig.create(5);
    rig.start();
    await rig.endedAtVendor(batch);
    expect([vendor.charges.size, vendor.counts.size]).toEqual([5, 0]);
  });
});

describe('an encoded batch', () => {
  it('is uploaded again after a pause, even if the vendor requests none', LONG, async () => {
    let uploads = 0;
    vendor.capability.upload = () => {
      uploads += 1;
      return Promise.resolve({ kind: 'postponed', reason: 'HTTP 503', retryAfterMs: 0 });
    };
    const batch = await rig.create(LINES);
    rig.start({ vendorPollMs: 10_000 });
    await rig.until(() => uploads === 1);
    const leases = `{${rig.prefix}}:batches:leases`;
    const tokens = `{${rig.prefix}}:batches:tokens`;
    await expect.poll(() => rig.redis.hexists(tokens, `${batch.id} vendor`), LONG).toBe(0);
    expect(Number(await rig.redis.zscore(leases, `${batch.id} vendor`))).toBeGreaterThan(rig.clock.now + 5_000);
    expect(uploads).toBe(1);
  });

  it('shares the memory for requests with the other batches of a worker', LONG, async () => {
    let [encoding, most] = [0, 0];
    const slowServe: BatchRig['serve'] = async (request) => {
      if (request.vendorLine?.step !== 'encode') return rig.serveAll(request);
      most = Math.max(most, (encoding += 1));
      await sleep(2);
      encoding -= 1;
      return rig.serveAll(request);
    };
    const batches = await Promise.all(Array.from({ length: 8 }, () => rig.create(20)));
    rig.start({ serve: slowServe });
    for (const batch of batches) expect((await rig.endedAtVendor(batch)).counts.completed).toBe(20);
    expect(most).toBe(4);
  });

  it('is uploaded once if the vendor postpones its submission', LONG, async () => {
    const names: string[] = [];
    let refusals = 0;
    vendor.capability.upload = async ({ content }) => {
      for await (const _ of content.read()) names.push('file');
      return { kind: 'uploaded', name: 'their-file' };
    };
    vendor.capability.submit = ({ uploaded, requests }) => {
      names.push(`${uploaded} ${requests}`);
      return Promise.resolve(
        (refusals += 1) > 2
          ? { kind: 'refused', reason: 'HTTP 400' }
          : { kind: 'postponed', reason: 'HTTP 429', retryAfterMs: 0 },
      );
    };
    const batch = await rig.create(1);
    rig.start();
    expect((await rig.endedAtVendor(batch)).counts.completed).toBe(1);
    expect(names).toEqual(['file', ...Array<string>(3).fill('their-file 1')]);
  });

  it.each([
    ['again if the API fails for a short time', 2, 0],
    ['by workers if the API cannot encode it', Infinity, LINES],
  ])('is sent %s', LONG, async (_, failures, calls) => {
    const encoded: string[] = [];
    vendor.onEncode = (id) => {
      encoded.push(id);
      return id === 'line-3' && encoded.filter((one) => one === id).length <= failures ? 500 : 200;
    };
    const batch = await rig.create(LINES);
    rig.start();
    const { counts } = await rig.endedAtVendor(batch);
    expect([counts.completed, rig.calls.size]).toEqual([LINES, calls]);
    expect(encoded.filter((id) => id === 'line-2').length).toBe(1);
  });
});
