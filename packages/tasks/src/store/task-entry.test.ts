import { openRedis, type TaskRig, taskRig, TINY_PNG } from '@sluice/testkit';
import type { Redis } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import { type Entry, ledgerEntries } from '../../test/ledger-entries.ts';
import type { NewTask } from '../engine/task-requests.ts';
import { createKeyspace } from './keyspace.ts';
import { TaskStore } from './task-store.ts';

let rig: TaskRig;
let redis: Redis;

async function start(options: Parameters<typeof taskRig>[0] = {}): Promise<void> {
  rig = await taskRig(options);
  redis = openRedis(rig.redisUrl);
}
afterEach(async () => {
  redis.disconnect();
  await rig.close();
});

const usd = 1e9;
const source = { from: 'catalog', catalog: 'media', date: '2026-11-01' };
const price = { taskNanos: 0.01 * usd, unitNanos: 0.1 * usd, source: JSON.stringify(source) };
const priced: Partial<NewTask> = { targets: [{ upstream: 'vendor', model: 'model-1', price }] };
const image: NewTask['request'] = {
  kind: 'image',
  prompt: 'a kite',
  n: 2,
  size: '1024x1024',
  quality: 'high',
  images: [],
  delivery: 'url',
};
const failure = { kind: 'failed', code: 'content_policy', message: 'no' } as const;

async function entryOf(id: string): Promise<Entry> {
  const entries = (await ledgerEntries(redis, rig.prefix)).filter((entry) => entry.id === id);
  expect(entries).toHaveLength(1);
  return entries[0] as Entry; // The cast is safe because the previous line checks the length.
}

async function inProgress(id: string): Promise<void> {
  const status = async () => (await rig.engine.find('owner', id))?.status;
  await expect.poll(status).toBe('in_progress');
}

describe("a task's ledger entry", () => {
  it('has the usage, the cost, and its source, and the fields of the request', async () => {
    await start({
      script: { poll: (_job, count) => (count < 2 ? undefined : { kind: 'succeeded', seconds: '5', size: '2x2' }) },
    });
    const ledger = JSON.stringify({ requestId: 'req_1', endpoint: 'POST /v1/videos', labels: { team: 'a', ünï: '"' } });
    const request = { kind: 'video' as const, prompt: 'a boat', resolution: '720p', audio: true, images: [] };
    const { task } = await rig.engine.submit(rig.params({ ...priced, request, ledger }));
    await rig.startWorker();
    const ended = await rig.end(task);
    const entry = await entryOf(task.id);
    expect(entry).toEqual({
      id: task.id,
      type: 'task',
      at: expect.any(Number),
      requestId: 'req_1',
      taskId: task.id,
      key: 'owner',
      labels: { team: 'a', ünï: '"' },
      endpoint: 'POST /v1/videos',
      model: 'video-model',
      upstream: 'vendor',
      upstreamModel: 'model-1',
      attempts: [{ upstream: 'vendor', upstreamModel: 'model-1', result: 'accepted', ms: expect.any(Number) }],
      status: 'completed',
      durationMs: expect.any(Number),
      queueMs: expect.any(Number),
      runMs: expect.any(Number),
      usage: { videoSeconds: 5, resolution: '720p', hasAudio: true },
      costNanos: 0.51 * usd,
      lines: [
        { unit: 'video_seconds', quantity: 5, nanos: 0.5 * usd },
        { unit: 'requests', quantity: 1, nanos: 0.01 * usd },
      ],
      priceSource: source,
    });
    expect(Math.abs(Date.now() - Number(entry['at']))).toBeLessThan(20_000);
    expect(Number(entry['queueMs']) + Number(entry['runMs'])).toBe(entry['durationMs']);
    expect(ended).toMatchObject({ costNanos: 0.51 * usd });
    expect(JSON.stringify(entry)).not.toContain('a boat');
  });

  it('counts the stored images', async () => {
    await start({
      script: {
        poll: () => ({
          kind: 'succeeded',
          outputs: [{ url: 'http://vendor.test/1' }, { url: 'http://vendor.test/2' }],
        }),
        content: (_job, { index }) =>
          index === 0 ? { kind: 'opened', body: once(TINY_PNG), bytes: 16 } : { kind: 'expired', message: 'gone' },
      },
    });
    await rig.startWorker();
    const { task } = await rig.engine.submit(rig.params({ ...priced, request: image }));
    await rig.end(task);
    expect(await entryOf(task.id)).toMatchObject({
      usage: { images: 1, imageSize: '1024x1024', imageQuality: 'high' },
      costNanos: 0.11 * usd,
      lines: [{ unit: 'images', quantity: 1, nanos: 0.1 * usd }, { unit: 'requests' }],
    });
  });

  it('has usage but no cost if the price is unknown', async () => {
    await start();
    await rig.startWorker();
    const { task } = await rig.engine.submit(rig.params());
    const ended = await rig.end(task);
    expect(ended).toMatchObject({ unpriced: true });
    expect(ended.costNanos).toBeUndefined();
    const entry = await entryOf(task.id);
    expect(entry).toMatchObject({ status: 'completed', usage: { videoSeconds: expect.any(Number) } });
    for (const name of ['costNanos', 'lines', 'priceSource', 'errorCode']) expect(entry).not.toHaveProperty(name);
  });

  it.each([
    ['has no price', {}, {}],
    ['has a price', priced, { costNanos: 0 }],
  ])('costs nothing if the task failed, and %s', async (_, params, cost) => {
    await start({ script: { poll: () => failure } });
    await rig.startWorker();
    const { task } = await rig.engine.submit(rig.params(params));
    const ended = await rig.end(task);
    expect(ended.unpriced).toBeUndefined();
    expect({ ...(ended.costNanos !== undefined && { costNanos: ended.costNanos }) }).toEqual(cost);
    const entry = await entryOf(task.id);
    expect(entry).toMatchObject({ status: 'failed', errorCode: 'content_policy', costNanos: 0 });
    for (const name of ['usage', 'lines', 'priceSource']) expect(entry).not.toHaveProperty(name);
  });

  it('costs nothing if the task was canceled in the queue, where it never ran', async () => {
    await start();
    const { task } = await rig.engine.submit(rig.params(priced));
    await rig.engine.cancel('owner', task.id);
    await rig.engine.cancel('owner', task.id);
    const entry = await entryOf(task.id);
    expect(entry).toMatchObject({ status: 'canceled', errorCode: 'canceled', costNanos: 0 });
    expect(entry['queueMs']).toBe(entry['durationMs']);
    for (const name of ['attempts', 'runMs']) expect(entry).not.toHaveProperty(name);
  });

  it.each([
    ['4.2 seconds of video', { seconds: '4.2' }, { videoSeconds: 5 }, 0.51],
    ['2 images', { request: image }, { images: 2 }, 0.21],
  ])('costs what was requested if the task was canceled while it ran: %s', async (_, params, usage, dollars) => {
    await start({ script: { poll: () => ({ kind: 'running' }), cancel: () => ({ kind: 'canceled' }) } });
    await rig.startWorker();
    const { task } = await rig.engine.submit(rig.params({ ...priced, ...params }));
    await inProgress(task.id);
    await rig.engine.cancel('owner', task.id);
    await rig.end(task);
    expect(await entryOf(task.id)).toMatchObject({ status: 'canceled', usage, costNanos: dollars * usd });
  });

  it('has the price of the route that served the task, and all attempts', async () => {
    await start({
      script: {
        submit: ({ model }) =>
          model === 'model-2' ? undefined : { kind: 'account', code: 'provider_quota', message: 'no credit' },
      },
    });
    await rig.startWorker();
    const expensive = { ...price, unitNanos: 3 * usd, source: JSON.stringify({ from: 'config' }) };
    const targets = [
      { upstream: 'vendor', model: 'model-1', price },
      { upstream: 'vendor', model: 'model-2', price: expensive },
    ];
    const { task } = await rig.engine.submit(rig.params({ targets }));
    await rig.end(task);
    expect(await entryOf(task.id)).toMatchObject({
      upstreamModel: 'model-2',
      attempts: [
        { upstreamModel: 'model-1', result: 'account' },
        { upstreamModel: 'model-2', result: 'accepted' },
      ],
      costNanos: (0.01 + 4 * 3) * usd,
      priceSource: { from: 'config' },
    });
  });

  it('is unpriced if the route that served the task has no price', async () => {
    await start({ script: { submit: ({ model }) => (model === 'model-2' ? undefined : busy) } });
    await rig.startWorker();
    const targets = [
      { upstream: 'vendor', model: 'model-1', price },
      { upstream: 'vendor', model: 'model-2' },
    ];
    const budget = { nanos: 10 * usd, period: 'total' as const };
    const { task } = await rig.engine.submit(rig.params({ targets, allowance: { budget } }));
    await rig.end(task);
    expect(await entryOf(task.id)).not.toHaveProperty('costNanos');
    const balance = await redis.hmget(`{${rig.prefix}}:budget:owner`, 'held', 'total');
    expect(balance).toEqual(['0', null]);
  });

  it('keeps every nano-dollar of a large cost', async () => {
    await start({ script: { poll: () => ({ kind: 'succeeded', seconds: '3', size: '2x2' }) } });
    await rig.startWorker();
    const large = { ...price, taskNanos: 0, unitNanos: 2_345_678_901_234_567 };
    const { task } = await rig.engine.submit(
      rig.params({ targets: [{ upstream: 'vendor', model: 'm', price: large }] }),
    );
    expect(await rig.end(task)).toMatchObject({ costNanos: 7_037_036_703_703_701 });
    expect(await entryOf(task.id)).toMatchObject({
      costNanos: 7_037_036_703_703_701,
      lines: [{ nanos: 7_037_036_703_703_701 }],
    });
  });

  it.each([
    ['ledger', '{"requestId":'],
    ['ledger', 'yes'],
    ['usage', '[1]'],
    ['attempts', '{'],
    ['priceSource', '"x"'],
    ['submittedAt', 'now'],
    ['createdAt', '-1e400'],
  ])('is valid even if the record has the %s %s', async (field, value) => {
    await start();
    const { task } = await rig.engine.submit(rig.params(priced));
    const keys = createKeyspace(rig.prefix);
    // The state in which a failed script leaves a task.
    await redis.hset(keys.task(task.id), { status: 'completed', [field]: value });
    const store = new TaskStore(redis, keys, { ...rig.settings, now: Date.now });
    expect(await store.purge(task.id)).toBe(true);
    expect(await entryOf(task.id)).toMatchObject({
      status: 'completed',
      endpoint: 'POST /v1/videos',
      costNanos: 0.41 * usd,
    });
  });

  it('is omitted if the ledger is off, and dropped and counted if the stream is full', async () => {
    await start({ settings: { maxLedgerEntries: undefined } });
    const off = await rig.engine.submit(rig.params(priced));
    await rig.engine.cancel('owner', off.task.id);
    expect(await redis.exists(`{${rig.prefix}}:ledger`, `{${rig.prefix}}:ledger:dropped`)).toBe(0);
    const full = await taskRig({ prefix: rig.prefix, settings: { maxLedgerEntries: 1 } });
    for (let count = 0; count < 3; count++) {
      const { task } = await full.engine.submit(full.params({ digest: String(count) }));
      await full.engine.cancel('owner', task.id);
    }
    await full.close();
    expect(await ledgerEntries(redis, rig.prefix)).toHaveLength(1);
    expect(await redis.get(`{${rig.prefix}}:ledger:dropped`)).toBe('2');
  });
});

const busy = { kind: 'account', code: 'provider_quota', message: 'no credit' } as const;

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
