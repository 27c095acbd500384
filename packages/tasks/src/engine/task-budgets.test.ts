import { createLimiter, type Limiter } from '@sluice/limits';
import { videoOf, openRedis, type TaskRig, taskRig, TINY_PNG } from '@sluice/testkit';
import type { Redis } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import { outcomes } from '../../test/outcomes.ts';
import type { TaskPrice } from '../store/task-price.ts';

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

const targetsAt = (price: TaskPrice) => [{ upstream: 'vendor', model: 'model-1', price }];

describe('task budgets', () => {
  const usd = 1e9;
  const budget = { nanos: 10 * usd, period: 'month' as const };
  const price = { taskNanos: 0, unitNanos: 0.5 * usd, source: '{"from":"config"}' };
  const targets = targetsAt(price);

  it('are reserved with the record: 50 concurrent tasks admit exactly what the budget covers', async () => {
    await start();
    expect(await outcomes(rig, 50, { budget }, { targets })).toEqual({ new: 5, insufficient_quota: 45 });
    expect(await limiter.spending('owner')).toMatchObject({ reserved: 10 * usd, total: 0 });
    expect((await rig.engine.list('owner', { kind: 'video', limit: 100, order: 'asc' })).tasks).toHaveLength(5);
  });

  it('are shared with all other usage of the key', async () => {
    await start();
    await limiter.charge({ id: 'text', owner: 'owner' }, { tokens: 0, nanos: 7 * usd });
    expect(await outcomes(rig, 5, { budget }, { targets })).toEqual({ new: 1, insufficient_quota: 4 });
  });

  it.each([
    [4, '4', 2],
    [8, '4.3', 2],
    [8, '8', 4],
    [1, '0.4', 0.5],
  ])(
    'charge a task with %d reserved seconds and %s generated ones %d dollars',
    async (reservedSeconds, seconds, dollars) => {
      await start({
        script: { poll: (_job, count) => (count < 2 ? undefined : { kind: 'succeeded', seconds, size: '2x2' }) },
      });
      await rig.startWorker();
      const allowance = { budget };
      const { task } = await rig.engine.submit(rig.params({ allowance, targets, seconds: String(reservedSeconds) }));
      await rig.end(task);
      expect(await limiter.spending('owner')).toMatchObject({
        reserved: 0,
        month: dollars * usd,
        total: dollars * usd,
      });
    },
  );

  it.each(['1e+21', '1e400', 'NaN', '-4', '86401', 'long'])(
    'charge the requested seconds if the vendor reports %s',
    async (seconds) => {
      await start({
        script: { poll: (_job, count) => (count < 2 ? undefined : { kind: 'succeeded', seconds, size: '2x2' }) },
      });
      await rig.startWorker();
      const { task } = await rig.engine.submit(rig.params({ allowance: { budget }, targets }));
      expect(await rig.end(task)).toMatchObject({ status: 'completed', seconds: task.seconds });
      const total = Number(task.seconds) * price.unitNanos;
      expect(await limiter.spending('owner')).toMatchObject({ reserved: 0, total });
    },
  );

  it.each([
    ['12.04 seconds instead of the 4 requested ones, if the vendor reports no length', {}, '12', 6],
    ['12.04 seconds, although the vendor reports 10', { reported: '10' }, '10', 5],
    ['12.04 seconds, although the vendor accepted 8', { agreed: '8' }, '8', 4],
    ['0.3 seconds, if the vendor reports no length', { ms: 300 }, '1', 0.5],
  ])(
    'charge the length of the file: %s',
    async (
      _,
      { reported, agreed, ms = 12_040 }: { reported?: string; agreed?: string; ms?: number },
      seconds,
      dollars,
    ) => {
      const file = videoOf({ ticks: ms, timescale: 1_000 });
      await start({
        script: {
          submit: () => ({ kind: 'accepted', upstreamId: 'job', ...(agreed !== undefined && { seconds: agreed }) }),
          poll: () => ({ kind: 'succeeded', ...(reported !== undefined && { seconds: reported }) }),
          content: () => ({ kind: 'opened', body: once(file), bytes: file.byteLength }),
        },
      });
      await rig.startWorker();
      const { task } = await rig.engine.submit(rig.params({ allowance: { budget }, targets }));
      expect(await rig.end(task)).toMatchObject({ status: 'completed', seconds });
      expect(await limiter.spending('owner')).toMatchObject({ reserved: 0, total: dollars * usd });
    },
  );

  it.each([
    ['seconds', '1e+21', 9e15],
    ['unitNanos', '1e300', 9e15],
    ['seconds', 'long', 0],
    ['taskNanos', '-5', 0],
  ])('are charged at the end of the task even if its record has %s %s', async (field, reported, total) => {
    await start({ script: { poll: (_job, count) => (count < 2 ? undefined : { kind: 'succeeded' }) } });
    const cheap = targetsAt({ ...price, unitNanos: field === 'taskNanos' ? 0 : 1 });
    const { task } = await rig.engine.submit(rig.params({ allowance: { budget, openTasks: 1 }, targets: cheap }));
    await redis.hset(`{${rig.prefix}}:task:${task.id}`, field, reported);
    await rig.startWorker();
    expect((await rig.end(task)).status).toBe('completed');
    expect(await limiter.spending('owner')).toMatchObject({ reserved: 0, total });
    expect(await redis.zscore(`{${rig.prefix}}:due`, task.id)).toBeNull();
    expect(await redis.scard(`{${rig.prefix}}:open:owner`)).toBe(0);
  });

  it.each(['completed', 'failed', 'canceled'] as const)(
    'charge a task that reserved 0 dollars and has %s',
    async (end) => {
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
      const free = targetsAt({ ...price, unitNanos: 0 });
      const allowance = { budget, openTasks: 1, concurrentTasks: 1 };
      await rig.startWorker();
      const { task } = await rig.engine.submit(
        rig.params({ allowance, targets: free, callback: { url: 'http://hook.test/', shape: 'event' } }),
      );
      if (end === 'canceled') {
        await expect.poll(async () => (await rig.engine.find('owner', task.id))?.status).toBe('in_progress');
        await rig.engine.cancel('owner', task.id);
      }
      const ended = await rig.end(task);
      expect(ended).toMatchObject({ status: end, completedAt: expect.any(Number), expiresAt: expect.any(Number) });
      expect(await limiter.spending('owner')).toMatchObject({ reserved: 0, total: 0 });
      const key = (name: string) => `{${rig.prefix}}:${name}`;
      expect(await redis.hexists(key(`task:${task.id}`), 'heldNanos')).toBe(0);
      expect(await redis.zscore(key('due'), task.id)).toBeNull();
      expect(await redis.zscore(key('expiring'), task.id)).not.toBeNull();
      expect(await redis.llen(key('webhooks:outbox'))).toBe(1);
      expect(await outcomes(rig, 1, allowance)).toEqual({ new: 1 });
    },
  );

  it('charge no lost image', async () => {
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
    const params = { request, allowance: { budget }, targets: targetsAt({ ...price, unitNanos: usd }) };
    const { task } = await rig.engine.submit(rig.params(params));
    expect(await rig.end(task)).toMatchObject({ status: 'completed', outputs: [{ content: {} }, { error: {} }] });
    expect(await limiter.spending('owner')).toMatchObject({ reserved: 0, total: usd });
  });

  it('charge the images that exist, whatever the vendor reports', async () => {
    // Half of a surrogate pair, which remains when a text is cut within a character.
    const revisedPrompt = 'a kite \uD83D';
    await start({
      script: {
        poll: (_job, count) =>
          count < 2
            ? undefined
            : {
                kind: 'succeeded',
                outputs: [{ url: 'http://vendor.test/1', revisedPrompt }, { url: 'http://vendor.test/2' }],
              },
        content: () => ({ kind: 'opened', body: png(), bytes: 16 }),
      },
    });
    await rig.startWorker();
    const request = { kind: 'image' as const, prompt: 'a kite', n: 3, images: [], delivery: 'url' as const };
    const expensive = targetsAt({ ...price, taskNanos: usd, unitNanos: usd });
    const { task } = await rig.engine.submit(rig.params({ request, allowance: { budget }, targets: expensive }));
    expect(await rig.end(task)).toMatchObject({ status: 'completed', outputs: [{}, {}] });
    expect(await limiter.spending('owner')).toMatchObject({ reserved: 0, total: 3 * usd });
  });

  it('release the reservation of a task that fails before or after acceptance', async () => {
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
      const { task } = await rig.engine.submit(rig.params({ allowance: { budget }, targets, request }));
      expect((await rig.end(task)).status).toBe('failed');
    }
    expect(await limiter.spending('owner')).toMatchObject({ reserved: 0, day: 0, month: 0, total: 0 });
  });

  it('release the reservation of a task canceled before submission and charge one that ran', async () => {
    await start({
      script: { poll: () => ({ kind: 'running', progress: 5 }), cancel: () => ({ kind: 'canceled' }) },
    });
    const early = await rig.engine.submit(rig.params({ allowance: { budget }, targets }));
    await rig.engine.cancel('owner', early.task.id);
    expect(await limiter.spending('owner')).toMatchObject({ reserved: 0, total: 0 });
    await rig.startWorker();
    const { task } = await rig.engine.submit(rig.params({ allowance: { budget }, targets }));
    await expect.poll(async () => (await rig.engine.find('owner', task.id))?.status).toBe('in_progress');
    await rig.engine.cancel('owner', task.id);
    expect((await rig.end(task)).status).toBe('canceled');
    expect(await limiter.spending('owner')).toMatchObject({ reserved: 0, total: 2 * usd });
  });

  it('reserve nothing for a repeated request', async () => {
    await start();
    const params = rig.params({ allowance: { budget }, targets, idempotencyKey: 'once' });
    await rig.engine.submit(params);
    await rig.engine.submit(params);
    expect(await limiter.spending('owner')).toMatchObject({ reserved: 2 * usd });
  });
});

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const png = () => once(TINY_PNG);
