import { GatewayError } from '@sluice/canonical';
import { openRedis, testRedis } from '@sluice/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type GroupRig, groupRig, LEASE_MS, OWNER, RETENTION_MS } from '../test/group-rig.ts';
import { defineGroupScripts } from './store/group-scripts.ts';

const NANOS = 1e9;
const LONG = { timeout: 60_000 };
let rig: GroupRig;
beforeEach(async () => {
  rig = groupRig();
  // The owner has a webhook.
  await rig.redis.sadd(`{${rig.prefix}}:webhooks:of:${OWNER}`, 'whe_1');
});
afterEach(() => rig.close());

const failure = (code: 'provider_error' | 'submission_unknown') => ({ code, message: 'Failed.' });
/** Ten prompts of a group. */
const prompts = (from: number) => Array.from({ length: 10 }, (_, at) => String(from + at));
const keysOfCalls = () => new Set(rig.calls.map(({ key }) => key)).size;

describe('a group', () => {
  it('creates each video once, and sends one event when all have ended', LONG, async () => {
    const group = await rig.create(20, { headers: { 'x-sluice-labels': 'team=a' } });
    rig.startWorker();
    await rig.until(group, { counts: { queued: 20 } });
    expect([rig.calls.length, rig.tasks.size]).toEqual([20, 20]);
    expect(rig.calls.find(({ body }) => body['prompt'] === '7')).toEqual({
      key: `${group.id}-7-0`,
      path: '/v1/videos',
      body: { model: 'video', prompt: '7' },
    });
    rig.endTasks('failed', { costNanos: 0, error: { code: 'provider_error', message: 'Broken.' } }, '3');
    await rig.until(group, { counts: { queued: 19, failed: 1 }, status: 'in_progress' });
    expect(await rig.events()).toEqual([]);
    rig.endTasks('completed', { costNanos: NANOS / 2 });
    const ended = await rig.until(group, { status: 'completed' });
    expect(ended).toMatchObject({ counts: { completed: 19, failed: 1 }, costNanos: (19 * NANOS) / 2, unpriced: false });
    expect(await rig.events()).toEqual([{ event: 'group.completed', task: group.id, owner: OWNER, at: ended.endedAt }]);
    const { items } = await rig.store.items(group.id, 3, 1);
    expect(items).toMatchObject([{ state: 'failed', error: { code: 'provider_error', message: 'Broken.' } }]);
  });

  it('calls the callback of the group, although its owner has no webhook', LONG, async () => {
    await rig.redis.del(`{${rig.prefix}}:webhooks:of:${OWNER}`);
    const callbackUrl = 'https://client.test/hook';
    const group = await rig.create(1, { callbackUrl });
    await rig.store.cancel(OWNER, group.id);
    expect(await rig.events()).toMatchObject([{ event: 'group.cancelled', callback: callbackUrl, shape: 'event' }]);
  });

  it('limits the cost of each video if the group has a maximum', LONG, async () => {
    await rig.create(1, { maxCostNanos: 2 * NANOS });
    rig.startWorker();
    await expect.poll(() => rig.calls.length).toBe(1);
    expect(rig.calls[0]?.body).toMatchObject({ max_cost_usd: 1 });
  });

  it('creates and follows other videos while the Redis server of some is unavailable', LONG, async () => {
    rig.reply = ({ body }) => (prompts(0).includes(String(body['prompt'])) ? { status: 503 } : 'created');
    const group = await rig.create(24);
    rig.startWorker();
    await rig.until(group, { counts: { pending: 10, queued: 14 } });
    for (const prompt of prompts(10)) rig.unavailable.add(prompt);
    rig.endTasks('completed', { costNanos: 0 });
    await rig.until(group, { counts: { pending: 10, queued: 10, completed: 4 } });
    rig.reply = () => 'created';
    await rig.until(group, { counts: { pending: 0, queued: 20, completed: 4 } });
    rig.unavailable.clear();
    await rig.until(group, { counts: { pending: 0, queued: 10, completed: 14 } });
    expect(rig.tasks.size).toBe(24);
  });

  it('waits for rate limits, and fails a video that the API refuses', LONG, async () => {
    let limited = 5;
    rig.reply = ({ body }) => {
      if (body['prompt'] === '1') return { status: 429, code: 'insufficient_quota', message: 'No budget.' };
      if (body['prompt'] === '2') return { status: 400, code: 'model_not_found', message: 'No model.' };
      return limited-- > 0 ? { status: 429, code: 'rate_limited' } : 'created';
    };
    const group = await rig.create(4);
    rig.startWorker();
    await rig.until(group, { counts: { queued: 2, failed: 2 } });
    const { items } = await rig.store.items(group.id, 1, 2);
    expect(items.map(({ error }) => error?.message)).toEqual(['No budget.', 'No model.']);
  });

  it('counts a video that the client deleted as cancelled', LONG, async () => {
    const group = await rig.create(1);
    rig.startWorker();
    await rig.until(group, { counts: { queued: 1 } });
    rig.tasks.clear();
    await rig.until(group, { status: 'completed', counts: { cancelled: 1 } });
  });

  it('is deleted after its retention', LONG, async () => {
    const group = await rig.create(1);
    const { expiresAt = 0 } = await rig.store.cancel(OWNER, group.id);
    rig.clock.now = expiresAt + 1;
    rig.startWorker();
    await expect.poll(() => rig.redis.keys(`{${rig.prefix}}:groups:*`), LONG).toEqual([]);
  });
});

describe('a worker that dies', () => {
  it('leaves the rest of the creation to another, which creates no video twice', LONG, async () => {
    const group = await rig.create(30);
    // The worker dies with eight requests in flight, whose tasks exist.
    const dying = openRedis(testRedis().redisUrl);
    let creations = 0;
    rig.reply = () => {
      if (++creations > 10) dying.disconnect();
      return creations > 10 ? 'lost' : 'created';
    };
    const worker = rig.startWorker(dying);
    await expect.poll(() => creations, LONG).toBeGreaterThan(10);
    await worker.close(0);
    expect(rig.tasks.size).toBeLessThan(30);
    rig.reply = () => 'created';
    rig.clock.now += LEASE_MS;
    rig.startWorker();
    await rig.until(group, { counts: { queued: 30 } });
    expect([rig.tasks.size, keysOfCalls()]).toEqual([30, 30]);
    expect(rig.calls.length).toBeGreaterThan(30);
  });

  it('has sent the event of a group once, however often its end is recorded', LONG, async () => {
    const group = await rig.create(12);
    rig.startWorker();
    rig.startWorker();
    rig.startWorker();
    await rig.until(group, { counts: { queued: 12 } });
    rig.endTasks('completed', { costNanos: 1 });
    // All workers check the group again and again, also those whose lease has ended.
    for (let lease = 0; lease < 5; lease++) rig.clock.now += LEASE_MS;
    await rig.until(group, { status: 'completed', costNanos: 12 });
    expect(await rig.events()).toHaveLength(1);
  });

  it('changes nothing when the final state of a video is recorded again', LONG, async () => {
    const group = await rig.create(2);
    rig.startWorker();
    await rig.until(group, { counts: { queued: 2 } });
    rig.endTasks('completed', { costNanos: 5 }, '0');
    const before = await rig.until(group, { counts: { completed: 1, queued: 1 }, costNanos: 5 });
    const [item] = (await rig.store.items(group.id, 0, 1)).items;
    defineGroupScripts(rig.redis);
    for (const state of ['completed', 'failed']) {
      const end = [state, item?.taskId ?? '', rig.clock.now, RETENTION_MS, 5, '1', '{"code":"provider_error"}'];
      expect(await rig.redis.groupsRecordItem(`{${rig.prefix}}:`, group.id, 0, 0, ...end)).toBe(0);
    }
    expect(await rig.store.find(OWNER, group.id)).toEqual(before);
    expect((await rig.store.items(group.id, 0, 1)).items).toEqual([item]);
    expect(await rig.events()).toEqual([]);
  });

  it('cancels a task that exists although its response was lost', LONG, async () => {
    rig.reply = () => 'lost';
    const group = await rig.create(1);
    rig.startWorker();
    await expect.poll(() => rig.tasks.size, LONG).toBe(1);
    expect(await rig.store.cancel(OWNER, group.id)).toMatchObject({ status: 'cancelling', counts: { pending: 1 } });
    rig.reply = () => 'created';
    await rig.until(group, { status: 'cancelled', counts: { cancelled: 1 } });
    expect([...rig.tasks.values()]).toMatchObject([{ status: 'canceled' }]);
  });
});

describe('cancel', () => {
  it('cancels a task as soon as its creation is known, and does not read it first', LONG, async () => {
    rig.reply = () => 'lost';
    const group = await rig.create(1);
    rig.startWorker();
    await expect.poll(() => rig.tasks.size, LONG).toBe(1);
    await rig.store.cancel(OWNER, group.id);
    rig.unavailable.add('0');
    rig.reply = () => 'created';
    await rig.until(group, { counts: { queued: 1 } });
    await expect.poll(() => [...rig.tasks.values()][0]?.status, LONG).toBe('canceled');
  });

  it('cancels all videos that have not ended, and keeps the others', LONG, async () => {
    const group = await rig.create(3);
    rig.startWorker();
    await rig.until(group, { counts: { queued: 3 } });
    rig.endTasks('completed', { costNanos: 5 }, '1');
    await rig.until(group, { counts: { completed: 1 } });
    expect(await rig.store.cancel(OWNER, group.id)).toMatchObject({ status: 'cancelling' });
    const ended = await rig.until(group, { status: 'cancelled' });
    expect(ended).toMatchObject({ counts: { completed: 1, cancelled: 2 }, costNanos: 5 });
    expect(await rig.events()).toMatchObject([{ event: 'group.cancelled' }]);
  });
});

describe('retry', () => {
  it('creates only failed videos again, and keeps the earlier ones readable', LONG, async () => {
    const group = await rig.create(4);
    rig.startWorker();
    await rig.until(group, { counts: { queued: 4 } });
    rig.endTasks('failed', { error: failure('provider_error') }, '1');
    rig.endTasks('failed', { error: failure('submission_unknown') }, '2');
    rig.endTasks('completed', { costNanos: 7 }, '3');
    await rig.until(group, { counts: { failed: 2, completed: 1, queued: 1 } });
    const [, first] = (await rig.store.items(group.id, 0, 4)).items;
    expect(await rig.store.retry(OWNER, group.id, false)).toMatchObject({ counts: { pending: 1, failed: 1 } });
    await rig.until(group, { counts: { queued: 2, failed: 1 } });
    const [, again, unknown] = (await rig.store.items(group.id, 0, 4)).items;
    expect(again).toMatchObject({ state: 'queued', retries: 1, previousTaskIds: [first?.taskId] });
    expect(again?.taskId).not.toBe(first?.taskId);
    expect(unknown).toMatchObject({ state: 'failed', retries: 0 });
    await expect(rig.store.retry(OWNER, group.id, false)).rejects.toThrow('retry_unknown');
    await rig.store.retry(OWNER, group.id, true);
    await rig.until(group, { counts: { queued: 3 } });
    expect(rig.tasks.size).toBe(6);
  });

  it('opens a group that has ended, which then sends an event with another id', LONG, async () => {
    const group = await rig.create(1);
    rig.startWorker();
    await rig.until(group, { counts: { queued: 1 } });
    rig.endTasks('failed', { error: failure('provider_error') });
    await rig.until(group, { status: 'completed' });
    expect(await rig.store.retry(OWNER, group.id, false)).toMatchObject({ status: 'in_progress' });
    await rig.until(group, { counts: { queued: 1 } });
    rig.endTasks('completed', { costNanos: 1 });
    await rig.until(group, { status: 'completed', counts: { completed: 1 } });
    const id = `evt_${group.id.slice('group_'.length)}r1`;
    expect(await rig.events()).toMatchObject([{ event: 'group.completed' }, { event: 'group.completed', id }]);
  });

  it('keeps the maximum cost of the group', LONG, async () => {
    const group = await rig.create(2, { maxCostNanos: 2 * NANOS });
    rig.startWorker();
    await rig.until(group, { counts: { queued: 2 } });
    rig.endTasks('completed', { costNanos: NANOS }, '0');
    rig.endTasks('failed', { costNanos: NANOS / 2, error: failure('provider_error') }, '1');
    await rig.until(group, { status: 'completed' });
    await expect(rig.store.retry(OWNER, group.id, false)).rejects.toThrow(
      'the group may cost $2.50, but max_cost_usd allows $2.00',
    );
  });
});

it('fails the videos of a key that does not exist any more', LONG, async () => {
  rig.reply = () => {
    throw new GatewayError('invalid_api_key', 'The API key `alice` no longer exists.');
  };
  const group = await rig.create(2);
  rig.startWorker();
  await rig.until(group, { status: 'completed', counts: { failed: 2 } });
});
