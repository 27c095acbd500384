import { OPEN_STATUSES } from '@sluice/canonical';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreRig } from '../../test/store-rig.ts';
import type { Move } from './move.ts';

let rig: StoreRig;
let store: StoreRig['store'];
beforeEach(() => {
  rig = new StoreRig();
  ({ store } = rig);
});
afterEach(() => rig.close());

describe('the admission queue', () => {
  it("dispatches up to the account's limit, and the next task as soon as one ends", async () => {
    await store.saveCaps({ acme: { maxInFlight: 2, maxSubmitting: 10 } });
    const ids = [await rig.admitted(), await rig.admitted(), await rig.admitted()];
    expect((await store.load(ids[2] ?? ''))?.dispatched).toBe(false);
    await rig.running(ids[0] ?? '');
    const ended = await store.move(ids[0] ?? '', { from: ['in_progress'], to: 'failed' });
    expect(ended).toMatchObject({ result: 'moved', dispatched: [{ account: 'acme', id: ids[2] }] });
  });

  it('dispatches no more concurrent submissions than configured', async () => {
    await store.saveCaps({ acme: { maxSubmitting: 1 } });
    const ids = [await rig.admitted(), await rig.admitted()];
    expect((await store.load(ids[1] ?? ''))?.dispatched).toBe(false);
    await rig.submitting(ids[0] ?? '');
    const accepted = await store.move(ids[0] ?? '', { from: ['submitting'], to: 'in_progress' });
    expect(accepted).toMatchObject({ dispatched: [{ account: 'acme', id: ids[1] }] });
  });

  it('dispatches twenty light keys before the two thousand tasks of a heavy one', async () => {
    await store.saveCaps({ acme: { maxInFlight: 1, maxSubmitting: 1 } });
    const busy = await rig.admitted({ owner: 'heavy' });
    await Promise.all(Array.from({ length: 2_000 }, () => rig.admit({ owner: 'heavy' }).response));
    const light = await Promise.all(Array.from({ length: 20 }, (_, i) => rig.admitted({ owner: `light-${i}` })));
    const order: string[] = [];
    let current = busy;
    for (let i = 0; i < 25; i++) {
      const failed = await store.move(current, { from: ['queued'], to: 'failed' });
      current = failed.result === 'moved' ? (failed.dispatched[0]?.id ?? '') : '';
      order.push(current);
    }
    expect(light.every((id) => order.slice(0, 22).includes(id))).toBe(true);
  });

  it("preserves the order of an owner's tasks", async () => {
    await store.saveCaps({ acme: { maxInFlight: 1, maxSubmitting: 1 } });
    const [first, second, third] = [await rig.admitted(), await rig.admitted(), await rig.admitted()];
    const failed = await store.move(first ?? '', { from: ['queued'], to: 'failed' });
    expect(failed).toMatchObject({ dispatched: [{ account: 'acme', id: second }] });
    expect(await store.move(second ?? '', { from: ['queued'], to: 'failed' })).toMatchObject({
      dispatched: [{ account: 'acme', id: third }],
    });
  });

  it("dispatches an owner's tasks by priority, and takes turns between owners regardless of it", async () => {
    await store.saveCaps({ acme: { maxInFlight: 1, maxSubmitting: 1 } });
    const busy = await rig.admitted({ owner: 'other' });
    const [low, usual, high] = [
      await rig.admitted({ priority: -1 }),
      await rig.admitted(),
      await rig.admitted({ priority: 100 }),
    ];
    const alsoHigh = await rig.admitted({ priority: 100 });
    const others = [await rig.admitted({ owner: 'other' }), await rig.admitted({ owner: 'other', priority: -100 })];
    const order: string[] = [];
    for (let current = busy; current !== ''; order.push(current)) {
      const failed = await store.move(current, { from: ['queued'], to: 'failed' });
      current = failed.result === 'moved' ? (failed.dispatched[0]?.id ?? '') : '';
    }
    expect(order).toEqual([high, others[0], alsoHigh, others[1], usual, low, '']);
  });

  it('moves a waiting task forward and back, and keeps paused tasks out until they are resumed', async () => {
    await store.saveCaps({ acme: { maxInFlight: 1, maxSubmitting: 1 } });
    const busy = await rig.admitted();
    const [first, second, third] = [await rig.admitted(), await rig.admitted(), await rig.admitted()];
    const change = (id: string, set: Move['set']) => rig.moved(id, { from: ['queued'], waiting: true, set });
    await change(third, { priority: 1 });
    await change(first, { priority: -1 });
    await change(second, { paused: true });
    expect(await store.move(busy, { from: ['queued'], waiting: true, set: { paused: true } })).toMatchObject({
      result: 'refused',
    });
    const next = await rig.moved(busy, { from: ['queued'], to: 'failed' });
    expect([next.status, (await store.load(third))?.dispatched]).toEqual(['failed', true]);
    await rig.moved(third, { from: ['queued'], to: 'failed' });
    expect((await store.load(first))?.dispatched).toBe(true);
    // A worker's attempt to enter the queue does not end the pause.
    await rig.moved(second, { from: ['queued'], enqueue: true });
    await rig.moved(first, { from: ['queued'], to: 'failed' });
    expect(await store.load(second)).toMatchObject({ dispatched: false, paused: true });
    await change(second, { priority: 7 });
    expect(await store.load(second)).toMatchObject({ dispatched: false, paused: true });
    const resumed = await store.move(second, { from: ['queued'], waiting: true, set: { paused: false } });
    expect(resumed).toMatchObject({ dispatched: [{ account: 'acme', id: second }] });
  });

  it('leaves a resumed task that waits after a refusal to its next step', async () => {
    const id = await rig.admitted();
    await rig.submitting(id);
    await rig.moved(id, { from: ['submitting'], to: 'queued', set: { dueAt: rig.clock + 5_000 } });
    const change = (paused: boolean) => store.move(id, { from: ['queued'], waiting: true, set: { paused } });
    await change(true);
    expect(await change(false)).toMatchObject({ result: 'moved', dispatched: [] });
    expect(await store.move(id, { from: ['queued'], enqueue: true })).toMatchObject({ record: { dispatched: true } });
  });

  it("holds a paused owner's tasks, and lets other owners pass", async () => {
    await store.saveCaps({ acme: { maxInFlight: 1, maxSubmitting: 1 } });
    const busy = await rig.admitted({ owner: 'other' });
    const mine = await rig.admitted();
    const other = await rig.admitted({ owner: 'other' });
    expect(await store.pauseOwner('owner', true)).toEqual([]);
    await rig.moved(busy, { from: ['queued'], to: 'failed' });
    expect((await store.load(other))?.dispatched).toBe(true);
    await rig.moved(other, { from: ['queued'], to: 'failed' });
    expect(await store.dispatchAll(['acme'])).toEqual([]);
    expect(await store.pauseOwner('owner', false)).toEqual([{ account: 'acme', id: mine }]);
  });

  it('removes a task that is canceled while it is queued', async () => {
    await store.saveCaps({ acme: { maxInFlight: 1, maxSubmitting: 1 } });
    const [first, second, third] = [await rig.admitted(), await rig.admitted(), await rig.admitted()];
    await rig.moved(second ?? '', { from: ['queued'], to: 'canceled' });
    expect(await store.move(first ?? '', { from: ['queued'], to: 'failed' })).toMatchObject({
      dispatched: [{ account: 'acme', id: third }],
    });
  });

  it('dispatches nothing while the account is paused and resumes afterwards', async () => {
    const first = await rig.admitted();
    await rig.submitting(first);
    await rig.moved(first, { from: ['submitting'], to: 'queued', pause: { requestedMs: 100, minMs: 1, maxMs: 1_000 } });
    const second = await rig.admitted();
    expect((await store.load(second))?.dispatched).toBe(false);
    await expect.poll(() => store.dispatchAll(['acme'])).toEqual([{ account: 'acme', id: second }]);
  });

  it('requeues a rejected task and gives its slots to other tasks in the meantime', async () => {
    await store.saveCaps({ acme: { maxInFlight: 1, maxSubmitting: 1 } });
    const [first, second] = [await rig.admitted(), await rig.admitted()];
    await rig.submitting(first ?? '');
    const refused = await store.move(first ?? '', { from: ['submitting'], to: 'queued' });
    expect(refused).toMatchObject({ dispatched: [{ account: 'acme', id: second }], record: { dispatched: false } });
    expect(await store.move(first ?? '', { from: ['queued'], enqueue: true })).toMatchObject({ dispatched: [] });
    const failed = await store.move(second ?? '', { from: ['queued'], to: 'failed' });
    expect(failed).toMatchObject({ dispatched: [{ account: 'acme', id: first }] });
  });

  it('counts slots correctly after any sequence of changes', async () => {
    await store.saveCaps({ acme: { maxInFlight: 3, maxSubmitting: 2 } });
    const ids: string[] = [];
    const anyMove = fc.record({
      task: fc.nat(30),
      to: fc.constantFrom('submitting', 'queued', 'submit_unknown', 'in_progress', 'finishing', 'canceling', 'failed'),
    });
    for (let i = 0; i < 8; i++) ids.push(await rig.admitted({ owner: `owner-${i % 3}` }));
    for (const { task, to } of fc.sample(anyMove, { numRuns: 300, seed: 7 })) {
      const id = ids[task % ids.length] ?? '';
      // Workers process only dispatched tasks.
      if (!(await store.load(id))?.dispatched) continue;
      await store.move(id, { from: OPEN_STATUSES, to, set: { attempt: 1 }, enqueue: to === 'queued' });
      if (to === 'failed') ids.push(await rig.admitted({ owner: `owner-${task % 3}` }));
      const [inFlight, under] = [
        await rig.redis.smembers(`${rig.keys.prefix}in_flight:acme`),
        await rig.redis.smembers(`${rig.keys.prefix}submitting:acme`),
      ];
      expect(inFlight.length).toBeLessThanOrEqual(3);
      expect(under.length).toBeLessThanOrEqual(2);
      const holders = await store.loadMany([...new Set([...inFlight, ...under])]);
      expect(
        holders.every((holder) => holder.dispatched && !['completed', 'failed', 'canceled'].includes(holder.status)),
      ).toBe(true);
    }
  });
});

describe('slots at an account', () => {
  const enqueue = { from: ['queued'], enqueue: true } as const;

  it('are not awaited by a task that was dispatched during its step', async () => {
    await store.saveCaps({ acme: { maxSubmitting: 1 } });
    const [first, second] = [await rig.admitted(), await rig.admitted()];
    await store.move(first, { from: ['queued'], to: 'failed' }); // The end of the first task dispatches the second one.
    expect(await store.move(second, enqueue)).toMatchObject({ result: 'moved', record: { dispatched: true } });
    await rig.running(second);
    expect(await rig.slots('submitting')).toEqual([]);
  });

  it('are not given to a queued task that is missing, at another account, or already dispatched', async () => {
    await store.saveCaps({ acme: { maxInFlight: 3, maxSubmitting: 3 } });
    const [elsewhere, out] = [await rig.admitted({ account: 'other' }), await rig.admitted()];
    await rig.running(out);
    const line = `${rig.keys.prefix}waiting:acme`;
    await rig.redis.zadd(line, 0, 'owner');
    await rig.redis.zadd(`${line}:owner`, 0, 'video_gone', 0, elsewhere, 0, out);
    const next = rig.admit();
    expect(await next.response).toMatchObject({ dispatched: [{ account: 'acme', id: next.id }] });
    expect(await rig.slots('submitting')).toEqual([next.id]);
    expect(await rig.redis.exists(rig.keys.task('video_gone'))).toBe(0);
  });

  it('are counted for a job whose response arrived after the task was requeued', async () => {
    await store.saveCaps({ acme: { maxInFlight: 1, maxSubmitting: 1 } });
    const id = await rig.admitted();
    await rig.submitting(id, { fingerprint: 'f' });
    await rig.moved(id, { from: ['submitting'], to: 'submit_unknown' });
    const blocker = await rig.admitted();
    await rig.moved(id, { from: ['submit_unknown'], to: 'queued', enqueue: true, orphan: true });
    expect((await store.load(id))?.dispatched).toBe(false);
    const set = { upstreamId: 'job', progress: 1 };
    await rig.moved(id, { attempt: 1, from: ['queued'], to: 'in_progress', set });
    expect((await rig.slots('in_flight')).toSorted()).toEqual([blocker, id].toSorted());
    expect(await store.countOpenSubmissions('acme', 'f')).toBe(0);
    await rig.moved(blocker, { from: ['queued'], to: 'failed' });
    expect(await rig.slots('in_flight')).toEqual([id]); // The task was not dispatched again.
    await rig.moved(id, { from: ['in_progress'], to: 'completed' });
    expect(await rig.slots('in_flight')).toEqual([]);
  });
});
