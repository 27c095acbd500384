import { randomBytes } from 'node:crypto';
import { OPEN_STATUSES } from '@sluice/canonical';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreRig } from '../../test/store-rig.ts';
import { newTaskId } from './task-id.ts';
import { readTaskStats } from './task-stats.ts';

let rig: StoreRig;
let store: StoreRig['store'];
beforeEach(() => {
  rig = new StoreRig();
  ({ store } = rig);
});
afterEach(() => rig.close());

describe('admission', () => {
  it('dispatches a task at once if a slot is free', async () => {
    const { id, response } = rig.admit();
    expect(await response).toEqual({ result: 'new', unusedInputs: [], dispatched: [{ account: 'acme', id }] });
    expect(await store.load(id)).toMatchObject({ id, status: 'queued', dispatched: true, prompt: 'a boat' });
  });

  it('is applied once if its command is sent twice', async () => {
    const { id, admission, response } = rig.admit();
    await response;
    expect(await store.admit(admission)).toEqual({ result: 'new', unusedInputs: [], dispatched: [] });
    expect((await readTaskStats(rig.redis, rig.keys)).tasks['queued']).toBe(1);
    expect(await rig.redis.zcard(rig.keys.owner('owner'))).toBe(1);
    expect((await store.load(id))?.revision).toBe(1);
  });

  it('returns the same task for the same idempotency key and request', async () => {
    const first = await rig.admitted({ key: 'k', digest: 'd' });
    expect(await rig.admit({ key: 'k', digest: 'd' }).response).toEqual({ result: 'replay', id: first });
  });

  it('rejects an idempotency key with another request', async () => {
    await rig.admitted({ key: 'k', digest: 'd' });
    expect(await rig.admit({ key: 'k', digest: 'e' }).response).toEqual({ result: 'conflict' });
  });

  it('separates the idempotency keys of owners', async () => {
    await rig.admitted({ key: 'k', digest: 'd' });
    expect((await rig.admit({ key: 'k', digest: 'd', owner: 'other' }).response).result).toBe('new');
  });

  it('creates one task for fifty concurrent requests with one idempotency key', async () => {
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => rig.admit({ key: 'k', digest: 'd' }).response),
    );
    expect(responses.filter(({ result }) => result === 'new')).toHaveLength(1);
    expect(responses.filter(({ result }) => result === 'replay')).toHaveLength(49);
  });

  it('replays a retry of a published SDK and creates a new task for an equal new request', async () => {
    const first = await rig.admitted({ digest: 'd' });
    expect(await rig.admit({ digest: 'd', retryCount: 1 }).response).toEqual({ result: 'replay', id: first });
    expect((await rig.admit({ digest: 'd' }).response).result).toBe('new');
  });
});

describe('a move', () => {
  it('is rejected from any other state', async () => {
    const id = await rig.admitted();
    const result = await store.move(id, { from: ['in_progress'], to: 'finishing' });
    expect(result).toMatchObject({ result: 'refused', record: { status: 'queued', revision: 1 } });
  });

  it('is fenced after another worker has claimed the task', async () => {
    const id = await rig.admitted();
    const first = await rig.moved(id, { from: OPEN_STATUSES, claim: true });
    const second = await rig.moved(id, { from: OPEN_STATUSES, claim: true });
    expect(await store.move(id, { epoch: first.epoch, from: ['queued'], to: 'submitting' })).toMatchObject({
      result: 'fenced',
      record: { status: 'queued' },
    });
    expect(await store.move(id, { epoch: second.epoch, from: ['queued'], to: 'submitting' })).toMatchObject({
      result: 'moved',
    });
    expect((await readTaskStats(rig.redis, rig.keys)).fencedWrites).toBe(1);
  });

  it.each(['completed', 'failed', 'canceled'] as const)('never leaves %s', async (final) => {
    const id = await rig.admitted();
    await rig.moved(id, { from: OPEN_STATUSES, to: final });
    for (const to of ['queued', 'in_progress', 'completed', 'failed', 'canceled'] as const) {
      expect(await store.move(id, { from: OPEN_STATUSES, to })).toMatchObject({ result: 'refused' });
    }
    expect((await store.load(id))?.status).toBe(final);
  });

  it('never lowers progress and shows 100 only when completed', async () => {
    const id = await rig.admitted();
    await rig.running(id);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 150 }), { maxLength: 8 }), async (reports) => {
        let last = (await store.load(id))?.progress ?? 0;
        for (const progress of reports) {
          const record = await rig.moved(id, { from: ['in_progress'], set: { progress } });
          expect(record.progress).toBeGreaterThanOrEqual(last);
          expect(record.progress).toBeLessThanOrEqual(99);
          last = record.progress;
        }
      }),
      { numRuns: 20 },
    );
    expect(await rig.moved(id, { from: ['in_progress'], to: 'completed', set: { progress: 100 } })).toMatchObject({
      progress: 100,
    });
  });

  it("assigns a vendor's job to one task only", async () => {
    const [first, second] = [await rig.admitted(), await rig.admitted()];
    await rig.running(first, 'job-1');
    await rig.submitting(second);
    const claim = { from: ['submitting'], to: 'in_progress', set: { upstreamId: 'job-1' } } as const;
    expect(await store.move(second, claim)).toMatchObject({ result: 'taken', record: { status: 'submitting' } });
    expect(await store.findUnclaimed('acme', ['job-1', 'job-2'])).toEqual(['job-2']);
  });

  it("records a submission's response by attempt even if the task was claimed again", async () => {
    const id = await rig.admitted();
    await rig.submitting(id);
    await rig.moved(id, { from: OPEN_STATUSES, claim: true });
    await rig.moved(id, { from: ['submitting'], to: 'submit_unknown' });
    const accept = { from: ['submitting', 'submit_unknown'], to: 'in_progress', set: { upstreamId: 'j' } } as const;
    expect(await store.move(id, { ...accept, attempt: 2 })).toMatchObject({ result: 'fenced' });
    expect(await store.move(id, { ...accept, attempt: 1 })).toMatchObject({ result: 'moved' });
  });

  it('reports a missing task', async () => {
    expect(await store.move(newTaskId('video', 1, randomBytes), { from: OPEN_STATUSES })).toEqual({
      result: 'missing',
    });
  });

  it('keeps the counters of states correct', async () => {
    const ids = [await rig.admitted(), await rig.admitted(), await rig.admitted()];
    await rig.running(ids[0] ?? '');
    await rig.moved(ids[1] ?? '', { from: ['queued'], to: 'canceled' });
    expect((await readTaskStats(rig.redis, rig.keys)).tasks).toMatchObject({ queued: 1, in_progress: 1, canceled: 1 });
  });

  it('counts open submissions of the same request', async () => {
    const ids = [await rig.admitted(), await rig.admitted()];
    for (const id of ids)
      await rig.moved(id, { from: ['queued'], to: 'submitting', set: { fingerprint: 'f', attempt: 1 } });
    expect(await store.countOpenSubmissions('acme', 'f')).toBe(2);
    await rig.moved(ids[0] ?? '', { from: ['submitting'], to: 'submit_unknown' });
    expect(await store.countOpenSubmissions('acme', 'f')).toBe(2);
    await rig.moved(ids[1] ?? '', { from: ['submitting'], to: 'in_progress', set: { upstreamId: 'x' } });
    expect(await store.countOpenSubmissions('acme', 'f')).toBe(1);
  });
});

describe('purging a task', () => {
  it('removes a final task completely', async () => {
    const id = await rig.admitted();
    await rig.moved(id, { from: ['queued'], to: 'failed' });
    expect(await store.purge(id)).toBe(true);
    expect(await store.load(id)).toBeUndefined();
    expect(await rig.redis.zcard(rig.keys.owner('owner'))).toBe(0);
    expect((await readTaskStats(rig.redis, rig.keys)).tasks['failed']).toBe(0);
  });

  it('never removes an open task', async () => {
    const id = await rig.admitted();
    expect(await store.purge(id)).toBe(false);
    expect((await store.load(id))?.status).toBe('queued');
  });
});

it('lists a task under its tags until it is deleted or removed', async () => {
  const tags = ['one', 'two'];
  const [deleted, removed] = [await rig.admitted({ tags }), await rig.admitted({ tags: ['one'] })];
  const tagged = (tag: string) => rig.redis.zrange(rig.keys.tag(tag), '0', '-1');
  expect([await tagged('one'), await tagged('two')]).toEqual([[deleted, removed], [deleted]]);
  await rig.moved(deleted, { from: ['queued'], to: 'canceled', set: { deleted: true } });
  expect([await tagged('one'), await tagged('two')]).toEqual([[removed], []]);
  await rig.moved(removed, { from: ['queued'], to: 'failed' });
  expect(await tagged('one')).toEqual([removed]);
  await store.purge(removed);
  expect(await rig.redis.exists(rig.keys.tag('one'), rig.keys.tag('two'))).toBe(0);
});
