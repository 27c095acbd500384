import { createLimiter, type Limiter } from '@sluice/limits';
import { filmOf, openRedis, scriptedVendor, type TaskRig, taskRig, TINY_PNG } from '@sluice/testkit';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TaskAllowance } from './task-engine.ts';

let rig: TaskRig;
let redis: Redis;
let limiter: Limiter;

async function start(options: Parameters<typeof taskRig>[0] = {}): Promise<void> {
  rig = await taskRig(options);
  redis = openRedis(rig.redisUrl);
  limiter = createLimiter(redis, { prefix: rig.prefix });
}
afterEach(async () => {
  redis.disconnect();
  await rig.close();
});

type Outcome = 'new' | 'rate_limited' | 'insufficient_quota';

/** Submits so many tasks at once and tells how many came to what. */
async function outcomes(times: number, allowance: TaskAllowance): Promise<Partial<Record<Outcome, number>>> {
  const told = await Promise.all(
    Array.from({ length: times }, () =>
      rig.engine.submit(rig.wish({ allowance })).then(
        () => 'new' as const,
        (error: { code: Outcome }) => error.code,
      ),
    ),
  );
  return Object.fromEntries([...Map.groupBy(told, (one) => one)].map(([one, all]) => [one, all.length]));
}

describe('unfinished tasks', () => {
  beforeEach(() => start());

  it('are exactly as many as the owner may have, however many are asked for at once, and no other is recorded', async () => {
    expect(await outcomes(200, { openTasks: 10 })).toEqual({ new: 10, rate_limited: 190 });
    const { tasks } = await rig.engine.list('owner', { kind: 'video', limit: 100, order: 'asc' });
    expect(tasks).toHaveLength(10);
    expect(await redis.keys(`{${rig.prefix}}:request:*`)).toHaveLength(10);
  });

  it('are not more for a repeat, which is answered though there is no room', async () => {
    const wish = rig.wish({ allowance: { openTasks: 1 }, idempotencyKey: 'once' });
    const { task } = await rig.engine.submit(wish);
    expect(await rig.engine.submit(wish)).toMatchObject({ replayed: true, task: { id: task.id } });
    const retried = await rig.engine.submit({ ...wish, idempotencyKey: 'twice' }).catch((error: unknown) => error);
    expect(retried).toMatchObject({ code: 'rate_limited', status: 429, retryable: true });
  });

  it('make room as they end, by themselves or by cancellation', async () => {
    const { task } = await rig.engine.submit(rig.wish({ allowance: { openTasks: 1 } }));
    await rig.engine.cancel('owner', task.id);
    const next = await rig.engine.submit(rig.wish({ allowance: { openTasks: 1 } }));
    await rig.startWorker();
    expect((await rig.end(next.task)).status).toBe('completed');
    expect(await outcomes(3, { openTasks: 1 })).toMatchObject({ new: 1 });
  });

  it('leave an external id free that was refused with its task', async () => {
    await rig.engine.submit(rig.wish({ allowance: { openTasks: 1 } }));
    const named = rig.wish({ allowance: { openTasks: 1 }, externalId: 'mine' });
    await expect(rig.engine.submit(named)).rejects.toMatchObject({ code: 'rate_limited' });
    expect(await redis.keys(`{${rig.prefix}}:external:*`)).toEqual([]);
    expect((await rig.engine.submit({ ...named, allowance: { openTasks: 2 } })).replayed).toBe(false);
  });
});

describe('tasks at vendors', () => {
  const capped: TaskAllowance = { concurrentTasks: 2 };

  it('are never more than the owner may have, over accounts and workers; the others wait, and all end', async () => {
    await start();
    const other = scriptedVendor();
    const caps = { maxSubmitting: 16 };
    const accounts = {
      vendor: { ...caps, video: rig.vendor, image: rig.vendor },
      other: { ...caps, video: other, image: other },
    };
    let most = 0;
    const both = () => rig.vendor.running.now + other.running.now;
    for (const vendor of [rig.vendor, other]) {
      vendor.script.poll = () => {
        most = Math.max(most, both());
        return undefined;
      };
    }
    const wishes = Array.from({ length: 24 }, (_, index) =>
      rig.wish({ allowance: capped, targets: [{ upstream: index % 2 === 0 ? 'vendor' : 'other', model: 'm' }] }),
    );
    const admitted = await Promise.all(wishes.map((wish) => rig.engine.submit(wish)));
    await Promise.all([rig.startWorker({ accounts }), rig.startWorker({ accounts })]);
    const ended = await Promise.all(admitted.map(({ task }) => rig.end(task)));
    expect(new Set(ended.map(({ status }) => status))).toEqual(new Set(['completed']));
    expect(most).toBe(2);
    expect(await redis.scard(`{${rig.prefix}}:running:owner`)).toBe(0);
  });

  it('hold up nobody else', async () => {
    await start({
      script: { poll: ({ taskId }) => (blocked.has(taskId) ? { kind: 'running', progress: 1 } : undefined) },
    });
    const blocked = new Set<string>();
    for (let made = 0; made < 5; made++) {
      const { task } = await rig.engine.submit(rig.wish({ ownerId: 'heavy', allowance: { concurrentTasks: 1 } }));
      blocked.add(task.id);
    }
    const light = await Promise.all(
      Array.from({ length: 5 }, () => rig.engine.submit(rig.wish({ ownerId: 'light', allowance: {} }))),
    );
    await rig.startWorker();
    for (const { task } of light) expect((await rig.end(task)).status).toBe('completed');
    expect(rig.vendor.submissions.size).toBe(6);
  });

  it('come from each account in its turn', async () => {
    await start();
    const { dispatched } = await waiting(['a', 'a', 'a', 'b', 'b', 'b']);
    // The first was let out at once, and `a` has waited longest after it.
    expect(dispatched.map((id) => id.slice(0, 1))).toEqual(['a', 'a', 'b', 'a', 'b', 'b']);
  });

  it('are let out when the owner may have more, be it told by an admission or on its own', async () => {
    await start();
    const allowance = { concurrentTasks: 1 };
    for (let made = 0; made < 6; made++) await rig.engine.submit(rig.wish({ allowance }));
    const running = () => redis.scard(`{${rig.prefix}}:running:owner`);
    expect(await running()).toBe(1);
    await rig.engine.capOwners(new Map([['owner', 3]]));
    expect(await running()).toBe(3);
    await rig.engine.submit(rig.wish({ allowance: { concurrentTasks: 4 } }));
    expect(await running()).toBe(4);
    await rig.engine.submit(rig.wish());
    expect(await running()).toBe(8);
  });
});

describe('the budget of a task', () => {
  const usd = 1e9;
  const budget = { nanos: 10 * usd, period: 'month' as const };
  const price = { mostNanos: 2 * usd, taskNanos: 0, unitNanos: 0.5 * usd };

  it('is held with the record: of 50 at once exactly as many are recorded as it pays for', async () => {
    await start();
    expect(await outcomes(50, { budget, price })).toEqual({ new: 5, insufficient_quota: 45 });
    expect(await limiter.spending('owner')).toMatchObject({ held: 10 * usd, total: 0 });
    expect((await rig.engine.list('owner', { kind: 'video', limit: 100, order: 'asc' })).tasks).toHaveLength(5);
  });

  it('is shared with all else that the key does', async () => {
    await start();
    await limiter.charge({ id: 'text', owner: 'owner' }, { tokens: 0, nanos: 7 * usd });
    expect(await outcomes(5, { budget, price })).toEqual({ new: 1, insufficient_quota: 4 });
  });

  it.each([
    [4, '4', 2],
    [8, '4.3', 2],
    [8, '8', 4],
    [1, '0.4', 0.5],
  ])('held for %d seconds, and made in %s, costs %d dollars', async (held, seconds, dollars) => {
    await start({
      script: { poll: (_job, count) => (count < 2 ? undefined : { kind: 'succeeded', seconds, size: '2x2' }) },
    });
    await rig.startWorker();
    const allowance = { budget, price: { ...price, mostNanos: held * price.unitNanos } };
    const { task } = await rig.engine.submit(rig.wish({ allowance }));
    await rig.end(task);
    expect(await limiter.spending('owner')).toMatchObject({ held: 0, month: dollars * usd, total: dollars * usd });
  });

  it.each(['1e+21', '1e400', 'NaN', '-4', '86401', 'long'])(
    'is that of the seconds asked for where the vendor tells of %s',
    async (seconds) => {
      await start({
        script: { poll: (_job, count) => (count < 2 ? undefined : { kind: 'succeeded', seconds, size: '2x2' }) },
      });
      await rig.startWorker();
      const { task } = await rig.engine.submit(rig.wish({ allowance: { budget, price } }));
      expect(await rig.end(task)).toMatchObject({ status: 'completed', seconds: task.seconds });
      const total = Number(task.seconds) * price.unitNanos;
      expect(await limiter.spending('owner')).toMatchObject({ held: 0, total });
    },
  );

  it.each([
    ['12.04 seconds though 4 were asked for, where nobody tells its length', {}, '12', 6],
    ['12.04 seconds, where the vendor tells of 10', { told: '10' }, '10', 5],
    ['12.04 seconds, where 8 were agreed on', { agreed: '8' }, '8', 4],
    ['0.3 seconds, where nobody tells its length', { ms: 300 }, '1', 0.5],
  ])(
    'is by the length of the file: %s',
    async (_, { told, agreed, ms = 12_040 }: { told?: string; agreed?: string; ms?: number }, seconds, dollars) => {
      const file = filmOf({ ticks: ms, timescale: 1_000 });
      await start({
        script: {
          submit: () => ({ kind: 'accepted', upstreamId: 'job', ...(agreed !== undefined && { seconds: agreed }) }),
          poll: () => ({ kind: 'succeeded', ...(told !== undefined && { seconds: told }) }),
          content: () => ({ kind: 'opened', body: once(file), bytes: file.byteLength }),
        },
      });
      await rig.startWorker();
      const { task } = await rig.engine.submit(rig.wish({ allowance: { budget, price } }));
      expect(await rig.end(task)).toMatchObject({ status: 'completed', seconds });
      expect(await limiter.spending('owner')).toMatchObject({ held: 0, total: dollars * usd });
    },
  );

  it.each([
    ['seconds', '1e+21', 9e15],
    ['unitNanos', '1e300', 9e15],
    ['seconds', 'long', 0],
    ['taskNanos', '-5', 0],
  ])('is settled with the end of the task, though its record says %s %s', async (field, told, total) => {
    await start({ script: { poll: (_job, count) => (count < 2 ? undefined : { kind: 'succeeded' }) } });
    const free = { mostNanos: 2 * usd, taskNanos: 0, unitNanos: field === 'taskNanos' ? 0 : 1 };
    const { task } = await rig.engine.submit(rig.wish({ allowance: { budget, price: free, openTasks: 1 } }));
    await redis.hset(`{${rig.prefix}}:task:${task.id}`, field, told);
    await rig.startWorker();
    expect((await rig.end(task)).status).toBe('completed');
    expect(await limiter.spending('owner')).toMatchObject({ held: 0, total });
    expect(await redis.zscore(`{${rig.prefix}}:due`, task.id)).toBeNull();
    expect(await redis.scard(`{${rig.prefix}}:open:owner`)).toBe(0);
  });

  it.each([
    ['completed', 2.5, 0.5],
    ['failed', 0, 0],
    ['canceled', 0, 0],
  ] as const)('of 0 dollars is settled, and all else done, when the task has %s', async (end, dollars, unit) => {
    await start({
      script: {
        poll: (_job, count) => {
          if (end === 'failed') return { kind: 'failed', code: 'content_policy', message: 'no' };
          if (end === 'canceled') return { kind: 'running', progress: 5 };
          return count < 2 ? undefined : { kind: 'succeeded', seconds: '5', size: '2x2' };
        },
        cancel: () => ({ kind: 'canceled' }),
      },
    });
    const free = { mostNanos: 0, taskNanos: 0, unitNanos: unit * usd };
    const allowance = { budget, price: free, openTasks: 1, concurrentTasks: 1 };
    await rig.startWorker();
    const { task } = await rig.engine.submit(rig.wish({ allowance, callback: { url: 'http://hook.test/' } }));
    if (end === 'canceled') {
      await expect
        .poll(async () => (await rig.engine.find('owner', task.id))?.status, { timeout: 10_000 })
        .toBe('in_progress');
      await rig.engine.cancel('owner', task.id);
    }
    const ended = await rig.end(task);
    expect(ended).toMatchObject({ status: end, completedAt: expect.any(Number), expiresAt: expect.any(Number) });
    expect(await limiter.spending('owner')).toMatchObject({ held: 0, total: dollars * usd });
    const key = (name: string) => `{${rig.prefix}}:${name}`;
    expect(await redis.hexists(key(`task:${task.id}`), 'heldNanos')).toBe(0);
    expect(await redis.zscore(key('due'), task.id)).toBeNull();
    expect(await redis.zscore(key('expiring'), task.id)).not.toBeNull();
    expect(await redis.llen(key('webhooks:outbox'))).toBe(1);
    expect(await outcomes(1, allowance)).toEqual({ new: 1 });
  });

  it('counts no image that was lost', async () => {
    await start({
      script: {
        poll: (_job, count) =>
          count < 2
            ? undefined
            : { kind: 'succeeded', outputs: [{ url: 'http://vendor.test/1' }, { url: 'http://vendor.test/2' }] },
        content: (_job, { index }) =>
          index === 0 ? { kind: 'opened', body: png(), bytes: 16 } : { kind: 'expired', message: 'gone' },
      },
    });
    await rig.startWorker();
    const request = { kind: 'image' as const, prompt: 'a kite', n: 2, images: [], delivery: 'url' as const };
    const allowance = { budget, price: { mostNanos: 2 * usd, taskNanos: 0, unitNanos: usd } };
    const { task } = await rig.engine.submit(rig.wish({ request, allowance }));
    expect(await rig.end(task)).toMatchObject({ status: 'completed', outputs: [{ content: {} }, { error: {} }] });
    expect(await limiter.spending('owner')).toMatchObject({ held: 0, total: usd });
  });

  it('counts the images that there are', async () => {
    await start({
      script: {
        poll: (_job, count) =>
          count < 2
            ? undefined
            : { kind: 'succeeded', outputs: [{ url: 'http://vendor.test/1' }, { url: 'http://vendor.test/2' }] },
        content: () => ({ kind: 'opened', body: png(), bytes: 16 }),
      },
    });
    await rig.startWorker();
    const request = { kind: 'image' as const, prompt: 'a kite', n: 3, images: [], delivery: 'url' as const };
    const allowance = { budget, price: { mostNanos: 4 * usd, taskNanos: usd, unitNanos: usd } };
    const { task } = await rig.engine.submit(rig.wish({ request, allowance }));
    expect(await rig.end(task)).toMatchObject({ status: 'completed', outputs: [{}, {}] });
    expect(await limiter.spending('owner')).toMatchObject({ held: 0, total: 3 * usd });
  });

  it('is given back by a task that failed, before or after the vendor had accepted it', async () => {
    const failure = { kind: 'failed', code: 'content_policy', message: 'no' } as const;
    await start({
      script: {
        submit: ({ request }) =>
          request.prompt === 'refused' ? { kind: 'rejected', code: 'invalid_request', message: 'no' } : undefined,
        poll: () => failure,
      },
    });
    await rig.startWorker();
    for (const prompt of ['refused', 'failing']) {
      const request = { kind: 'video' as const, prompt, images: [] };
      const { task } = await rig.engine.submit(rig.wish({ allowance: { budget, price }, request }));
      expect((await rig.end(task)).status).toBe('failed');
    }
    expect(await limiter.spending('owner')).toMatchObject({ held: 0, day: 0, month: 0, total: 0 });
  });

  it('is given back by a task that was called off before it was submitted, and paid by one that ran', async () => {
    await start({
      script: { poll: () => ({ kind: 'running', progress: 5 }), cancel: () => ({ kind: 'canceled' }) },
    });
    const early = await rig.engine.submit(rig.wish({ allowance: { budget, price } }));
    await rig.engine.cancel('owner', early.task.id);
    expect(await limiter.spending('owner')).toMatchObject({ held: 0, total: 0 });
    await rig.startWorker();
    const { task } = await rig.engine.submit(rig.wish({ allowance: { budget, price } }));
    await expect
      .poll(async () => (await rig.engine.find('owner', task.id))?.status, { timeout: 10_000 })
      .toBe('in_progress');
    await rig.engine.cancel('owner', task.id);
    expect((await rig.end(task)).status).toBe('canceled');
    expect(await limiter.spending('owner')).toMatchObject({ held: 0, total: 2 * usd });
  });

  it('is held no more for a repeat', async () => {
    await start();
    const wish = rig.wish({ allowance: { budget, price }, idempotencyKey: 'once' });
    await rig.engine.submit(wish);
    await rig.engine.submit(wish);
    expect(await limiter.spending('owner')).toMatchObject({ held: 2 * usd });
  });
});

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const png = () => once(TINY_PNG);

/** Has one owner with room for one task wait at several accounts, and ends what is out until nothing is. */
async function waiting(accounts: readonly string[]): Promise<{ dispatched: string[] }> {
  const names = new Map<string, string>();
  for (const upstream of accounts) {
    const wish = rig.wish({ allowance: { concurrentTasks: 1 }, targets: [{ upstream, model: 'm' }] });
    const { task } = await rig.engine.submit(wish);
    names.set(task.id, upstream);
  }
  const dispatched: string[] = [];
  for (;;) {
    const [id] = await redis.smembers(`{${rig.prefix}}:running:owner`);
    if (id === undefined) return { dispatched };
    dispatched.push(`${names.get(id)} ${id}`);
    await rig.engine.cancel('owner', id);
  }
}
