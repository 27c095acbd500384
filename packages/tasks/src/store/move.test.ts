import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreRig } from '../../test/store-rig.ts';

let rig: StoreRig;
let store: StoreRig['store'];
beforeEach(() => {
  rig = new StoreRig();
  ({ store } = rig);
});
afterEach(() => rig.close());

describe('texts of vendors and operators', () => {
  it('are stored even if they were cut inside a character', async () => {
    const id = await rig.admitted();
    const reason = 'a boat \uD83D';
    const note = { what: 'poll', outcome: 'failed', reason } as const;
    const record = await rig.moved(id, {
      from: ['queued'],
      to: 'failed',
      set: { errorMessage: reason, errorCode: 'provider_error' },
      note,
    });
    expect(record.error?.message).toBe('a boat \uFFFD');
  });
});

/** The vendor accepts the submission as the job `upstreamId`. */
const claim = (upstreamId: string) => ({ from: ['submitting'], to: 'in_progress', set: { upstreamId } }) as const;

describe("the claim of a vendor's job", () => {
  it('covers all upstreams of the same account', async () => {
    const [first, second] = [await rig.admitted({ account: 'one' }), await rig.admitted({ account: 'two' })];
    await rig.submitting(first, { upstreamAccount: 'vendor-7', fingerprint: 'f' });
    await rig.submitting(second, { upstreamAccount: 'vendor-7', fingerprint: 'f' });
    expect(await store.countOpenSubmissions('vendor-7', 'f')).toBe(2);
    await rig.moved(first, claim('job'));
    expect(await store.move(second, claim('job'))).toMatchObject({ result: 'taken' });
    expect(await store.findUnclaimed('vendor-7', ['job', 'other'])).toEqual(['other']);
  });

  it("lasts as long as its task and the task's retention", async () => {
    const id = await rig.admitted();
    await rig.running(id, 'job');
    const key = rig.keys.claimed('acme', 'job');
    expect(await rig.redis.pttl(key)).toBe(-1);
    await rig.moved(id, { from: ['in_progress'], to: 'completed' });
    const ttlMs = await rig.redis.pttl(key);
    expect(ttlMs).toBeGreaterThan(0);
    expect(ttlMs).toBeLessThanOrEqual(1_000);
  });

  it('is released if the task turns out to have another job', async () => {
    const id = await rig.admitted();
    await rig.running(id, 'mistaken');
    await rig.moved(id, { from: ['in_progress'], set: { upstreamId: 'right' } });
    expect(await store.findUnclaimed('acme', ['mistaken', 'right'])).toEqual(['mistaken']);
  });
});

describe('an unconfirmed submission', () => {
  const doubt = { errorCode: 'submission_unknown', errorMessage: 'given up' };

  it.each(['submitting', 'submit_unknown'] as const)(
    'that is failed as %s blocks other tasks with the same request from adopting its job',
    async (status) => {
      const id = await rig.admitted();
      await rig.submitting(id, { fingerprint: 'f' });
      if (status === 'submit_unknown') await rig.moved(id, { from: ['submitting'], to: status });
      await rig.moved(id, { from: [status], to: 'failed', set: doubt });
      expect(await store.countOpenSubmissions('acme', 'f')).toBe(1);
    },
  );

  it('that the vendor has rejected blocks nothing', async () => {
    const id = await rig.admitted();
    await rig.submitting(id, { fingerprint: 'f' });
    await rig.moved(id, { from: ['submitting'], to: 'submit_unknown' });
    await rig.moved(id, { from: ['submit_unknown'], to: 'failed', set: { errorCode: 'invalid_request' } });
    expect(await store.countOpenSubmissions('acme', 'f')).toBe(0);
  });
});
