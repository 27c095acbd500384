import { randomBytes } from 'node:crypto';
import { openRedis, testRedis } from '@sluice/testkit';
import type { Redis } from 'ioredis';
import { OPEN_STATUSES } from '@sluice/canonical';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKeyspace, type Keyspace } from './keyspace.ts';
import { newTaskId } from './task-id.ts';
import type { TaskRecord } from './task-record.ts';
import { readTaskStats } from './task-stats.ts';
import type { Move } from './move.ts';
import { TaskStore } from './task-store.ts';

let redis: Redis;
let keys: Keyspace;
let store: TaskStore;
let clock: number;
let digests = 0;

beforeEach(() => {
  const { redisUrl, prefix } = testRedis();
  redis = openRedis(redisUrl);
  keys = createKeyspace(prefix);
  clock = 1_800_000_000_000;
  store = new TaskStore(redis, keys, { now: () => clock, retentionMs: 1_000, submitUnknownMs: 1_000 });
});
afterEach(() => redis.disconnect());

interface Wish {
  owner?: string;
  account?: string;
  key?: string;
  digest?: string;
  retryCount?: number;
}

function admit({ owner = 'owner', account = 'acme', key, digest, retryCount = 0 }: Wish = {}) {
  const id = newTaskId('video', (clock += 1), randomBytes);
  const fields = {
    id,
    ownerId: owner,
    status: 'queued',
    revision: 1,
    epoch: 0,
    model: 'video-model',
    progress: 0,
    seconds: '4',
    createdAt: clock,
    deadlineAt: clock + 60_000,
    upstream: account,
    route: 0,
    upstreamModel: 'm',
    attempt: 0,
    polls: 0,
    unclearPolls: 0,
    setbacks: 0,
    kind: 'video',
    targets: '[]',
  };
  const admission = {
    id,
    ownerId: owner,
    account,
    digest: digest ?? `digest-${(digests += 1)}`,
    idempotencyKey: key,
    operation: 'video.create',
    retryCount,
    request: { kind: 'video' as const, prompt: 'a boat', images: [] },
    deadlineAt: clock + 60_000,
    fetchesInputs: false,
    fields,
  };
  return { id, admission, answer: store.admit(admission) };
}

async function admitted(wish?: Wish): Promise<string> {
  const { id, answer } = admit(wish);
  await answer;
  return id;
}

async function moved(id: string, move: Move): Promise<TaskRecord> {
  const result = await store.move(id, move);
  if (result.result !== 'moved') throw new Error(result.result);
  return result.record;
}

const submitting = (id: string) => moved(id, { from: ['queued'], to: 'submitting', set: { attempt: 1 } });

async function running(id: string, upstreamId = `up-${id}`): Promise<TaskRecord> {
  await submitting(id);
  return moved(id, { from: ['submitting'], to: 'in_progress', set: { upstreamId, progress: 1 } });
}

describe('admission', () => {
  it('lets a task out at once when there is room', async () => {
    const { id, answer } = admit();
    expect(await answer).toEqual({ result: 'new', dispatched: [{ account: 'acme', id }] });
    expect(await store.load(id)).toMatchObject({ id, status: 'queued', dispatched: true, prompt: 'a boat' });
  });

  it('is applied once when its command is sent twice', async () => {
    const { id, admission, answer } = admit();
    await answer;
    expect(await store.admit(admission)).toEqual({ result: 'new', dispatched: [] });
    expect((await readTaskStats(redis, keys)).tasks['queued']).toBe(1);
    expect(await redis.zcard(keys.owner('owner'))).toBe(1);
    expect((await store.load(id))?.revision).toBe(1);
  });

  it('gives the same task for the same idempotency key and request', async () => {
    const first = await admitted({ key: 'k', digest: 'd' });
    expect(await admit({ key: 'k', digest: 'd' }).answer).toEqual({ result: 'replay', id: first });
  });

  it('refuses an idempotency key with another request', async () => {
    await admitted({ key: 'k', digest: 'd' });
    expect(await admit({ key: 'k', digest: 'e' }).answer).toEqual({ result: 'conflict' });
  });

  it("keeps one owner's idempotency keys apart from another's", async () => {
    await admitted({ key: 'k', digest: 'd' });
    expect((await admit({ key: 'k', digest: 'd', owner: 'other' }).answer).result).toBe('new');
  });

  it('makes one task of fifty simultaneous requests with one idempotency key', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => admit({ key: 'k', digest: 'd' }).answer));
    expect(answers.filter(({ result }) => result === 'new')).toHaveLength(1);
    expect(answers.filter(({ result }) => result === 'replay')).toHaveLength(49);
  });

  it('takes a repeat by a published SDK for the same task, and a fresh equal request for a new one', async () => {
    const first = await admitted({ digest: 'd' });
    expect(await admit({ digest: 'd', retryCount: 1 }).answer).toEqual({ result: 'replay', id: first });
    expect((await admit({ digest: 'd' }).answer).result).toBe('new');
  });
});

describe('a move', () => {
  it('is refused from a state that it does not start from', async () => {
    const id = await admitted();
    const result = await store.move(id, { from: ['in_progress'], to: 'finishing' });
    expect(result).toMatchObject({ result: 'refused', record: { status: 'queued', revision: 1 } });
  });

  it('is fenced off when another worker has claimed the task since', async () => {
    const id = await admitted();
    const first = await moved(id, { from: OPEN_STATUSES, claim: true });
    const second = await moved(id, { from: OPEN_STATUSES, claim: true });
    expect(await store.move(id, { epoch: first.epoch, from: ['queued'], to: 'submitting' })).toMatchObject({
      result: 'fenced',
      record: { status: 'queued' },
    });
    expect(await store.move(id, { epoch: second.epoch, from: ['queued'], to: 'submitting' })).toMatchObject({
      result: 'moved',
    });
    expect((await readTaskStats(redis, keys)).fencedWrites).toBe(1);
  });

  it.each(['completed', 'failed', 'canceled'] as const)('never leaves %s', async (final) => {
    const id = await admitted();
    await moved(id, { from: OPEN_STATUSES, to: final });
    for (const to of ['queued', 'in_progress', 'completed', 'failed', 'canceled'] as const) {
      expect(await store.move(id, { from: OPEN_STATUSES, to })).toMatchObject({ result: 'refused' });
    }
    expect((await store.load(id))?.status).toBe(final);
  });

  it('never lowers progress, and shows 100 only when completed', async () => {
    const id = await admitted();
    await running(id);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 150 }), { maxLength: 8 }), async (told) => {
        let last = (await store.load(id))?.progress ?? 0;
        for (const progress of told) {
          const record = await moved(id, { from: ['in_progress'], set: { progress } });
          expect(record.progress).toBeGreaterThanOrEqual(last);
          expect(record.progress).toBeLessThanOrEqual(99);
          last = record.progress;
        }
      }),
      { numRuns: 20 },
    );
    expect(await moved(id, { from: ['in_progress'], to: 'completed', set: { progress: 100 } })).toMatchObject({
      progress: 100,
    });
  });

  it("gives a vendor's job to one task only", async () => {
    const [first, second] = [await admitted(), await admitted()];
    await running(first, 'job-1');
    await submitting(second);
    const claim = { from: ['submitting'], to: 'in_progress', set: { upstreamId: 'job-1' } } as const;
    expect(await store.move(second, claim)).toMatchObject({ result: 'taken', record: { status: 'submitting' } });
    expect(await store.unclaimed('acme', ['job-1', 'job-2'])).toEqual(['job-2']);
  });

  it("takes a submission's answer by attempt, even when the task was claimed again", async () => {
    const id = await admitted();
    await submitting(id);
    await moved(id, { from: OPEN_STATUSES, claim: true });
    await moved(id, { from: ['submitting'], to: 'submit_unknown' });
    const accept = { from: ['submitting', 'submit_unknown'], to: 'in_progress', set: { upstreamId: 'j' } } as const;
    expect(await store.move(id, { ...accept, attempt: 2 })).toMatchObject({ result: 'fenced' });
    expect(await store.move(id, { ...accept, attempt: 1 })).toMatchObject({ result: 'moved' });
  });

  it('says so when the task is gone', async () => {
    expect(await store.move(newTaskId('video', 1, randomBytes), { from: OPEN_STATUSES })).toEqual({
      result: 'missing',
    });
  });

  it('keeps the counters of states true', async () => {
    const ids = [await admitted(), await admitted(), await admitted()];
    await running(ids[0] ?? '');
    await moved(ids[1] ?? '', { from: ['queued'], to: 'canceled' });
    expect((await readTaskStats(redis, keys)).tasks).toMatchObject({ queued: 1, in_progress: 1, canceled: 1 });
  });

  it('knows how many open submissions ask for the same', async () => {
    const ids = [await admitted(), await admitted()];
    for (const id of ids)
      await moved(id, { from: ['queued'], to: 'submitting', set: { fingerprint: 'f', attempt: 1 } });
    expect(await store.openTwins('acme', 'f')).toBe(2);
    await moved(ids[0] ?? '', { from: ['submitting'], to: 'submit_unknown' });
    expect(await store.openTwins('acme', 'f')).toBe(2);
    await moved(ids[1] ?? '', { from: ['submitting'], to: 'in_progress', set: { upstreamId: 'x' } });
    expect(await store.openTwins('acme', 'f')).toBe(1);
  });
});

describe('the waiting room', () => {
  it('lets out no more than the account takes, and the next as soon as one has ended', async () => {
    await store.saveCaps({ acme: { maxInFlight: 2, maxSubmitting: 10 } });
    const ids = [await admitted(), await admitted(), await admitted()];
    expect((await store.load(ids[2] ?? ''))?.dispatched).toBe(false);
    await running(ids[0] ?? '');
    const ended = await store.move(ids[0] ?? '', { from: ['in_progress'], to: 'failed' });
    expect(ended).toMatchObject({ result: 'moved', dispatched: [{ account: 'acme', id: ids[2] }] });
  });

  it('lets out no more submissions at once than set', async () => {
    await store.saveCaps({ acme: { maxSubmitting: 1 } });
    const ids = [await admitted(), await admitted()];
    expect((await store.load(ids[1] ?? ''))?.dispatched).toBe(false);
    await submitting(ids[0] ?? '');
    const accepted = await store.move(ids[0] ?? '', { from: ['submitting'], to: 'in_progress' });
    expect(accepted).toMatchObject({ dispatched: [{ account: 'acme', id: ids[1] }] });
  });

  it('lets twenty light keys go ahead of the two thousand tasks of a heavy one', async () => {
    await store.saveCaps({ acme: { maxInFlight: 1, maxSubmitting: 1 } });
    const busy = await admitted({ owner: 'heavy' });
    await Promise.all(Array.from({ length: 2_000 }, () => admit({ owner: 'heavy' }).answer));
    const light = await Promise.all(Array.from({ length: 20 }, (_, i) => admitted({ owner: `light-${i}` })));
    const order: string[] = [];
    let current = busy;
    for (let i = 0; i < 25; i++) {
      const left = await store.move(current, { from: ['queued'], to: 'failed' });
      current = left.result === 'moved' ? (left.dispatched[0]?.id ?? '') : '';
      order.push(current);
    }
    expect(light.every((id) => order.slice(0, 22).includes(id))).toBe(true);
  });

  it("keeps an owner's own tasks in order", async () => {
    await store.saveCaps({ acme: { maxInFlight: 1, maxSubmitting: 1 } });
    const [first, second, third] = [await admitted(), await admitted(), await admitted()];
    const left = await store.move(first ?? '', { from: ['queued'], to: 'failed' });
    expect(left).toMatchObject({ dispatched: [{ account: 'acme', id: second }] });
    expect(await store.move(second ?? '', { from: ['queued'], to: 'failed' })).toMatchObject({
      dispatched: [{ account: 'acme', id: third }],
    });
  });

  it('forgets a task that is canceled while it waits', async () => {
    await store.saveCaps({ acme: { maxInFlight: 1, maxSubmitting: 1 } });
    const [first, second, third] = [await admitted(), await admitted(), await admitted()];
    await moved(second ?? '', { from: ['queued'], to: 'canceled' });
    expect(await store.move(first ?? '', { from: ['queued'], to: 'failed' })).toMatchObject({
      dispatched: [{ account: 'acme', id: third }],
    });
  });

  it('keeps everybody in while the account is paused, and lets them out afterwards', async () => {
    const first = await admitted();
    await submitting(first);
    await moved(first, { from: ['submitting'], to: 'queued', rest: { askedMs: 100, minMs: 1, maxMs: 1_000 } });
    const second = await admitted();
    expect((await store.load(second))?.dispatched).toBe(false);
    await expect.poll(() => store.dispatchAll(['acme'])).toEqual([{ account: 'acme', id: second }]);
  });

  it('takes a refused task back in and gives its places to others meanwhile', async () => {
    await store.saveCaps({ acme: { maxInFlight: 1, maxSubmitting: 1 } });
    const [first, second] = [await admitted(), await admitted()];
    await submitting(first ?? '');
    const refused = await store.move(first ?? '', { from: ['submitting'], to: 'queued' });
    expect(refused).toMatchObject({ dispatched: [{ account: 'acme', id: second }], record: { dispatched: false } });
    expect(await store.move(first ?? '', { from: ['queued'], enter: true })).toMatchObject({ dispatched: [] });
    const left = await store.move(second ?? '', { from: ['queued'], to: 'failed' });
    expect(left).toMatchObject({ dispatched: [{ account: 'acme', id: first }] });
  });

  it('counts places right whatever happens to tasks', async () => {
    await store.saveCaps({ acme: { maxInFlight: 3, maxSubmitting: 2 } });
    const ids: string[] = [];
    const anyMove = fc.record({
      task: fc.nat(30),
      to: fc.constantFrom('submitting', 'queued', 'submit_unknown', 'in_progress', 'finishing', 'canceling', 'failed'),
    });
    for (let i = 0; i < 8; i++) ids.push(await admitted({ owner: `owner-${i % 3}` }));
    for (const { task, to } of fc.sample(anyMove, { numRuns: 300, seed: 7 })) {
      const id = ids[task % ids.length] ?? '';
      // Only a task that was let out is ever worked on.
      if (!(await store.load(id))?.dispatched) continue;
      await store.move(id, { from: OPEN_STATUSES, to, set: { attempt: 1 }, enter: to === 'queued' });
      if (to === 'failed') ids.push(await admitted({ owner: `owner-${task % 3}` }));
      const [inFlight, under] = [
        await redis.smembers(`${keys.prefix}in_flight:acme`),
        await redis.smembers(`${keys.prefix}submitting:acme`),
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

describe('purging', () => {
  it('removes a final task and everything of it', async () => {
    const id = await admitted();
    await moved(id, { from: ['queued'], to: 'failed' });
    expect(await store.purge(id)).toBe(true);
    expect(await store.load(id)).toBeUndefined();
    expect(await redis.zcard(keys.owner('owner'))).toBe(0);
    expect((await readTaskStats(redis, keys)).tasks['failed']).toBe(0);
  });

  it('never removes an open task', async () => {
    const id = await admitted();
    expect(await store.purge(id)).toBe(false);
    expect((await store.load(id))?.status).toBe('queued');
  });
});
