import { randomBytes } from 'node:crypto';
import { openRedis, type TaskRig, taskRig } from '@sluice/testkit';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKeyspace, type Keyspace } from './keyspace.ts';
import { readShown, readTimeline } from './read-timeline.ts';
import { defineTaskScripts } from './task-scripts.ts';
import { TaskStore } from './task-store.ts';
import type { TimelineEntry } from './timeline.ts';

/** Maximum entries in a timeline. */
const MAX_ENTRIES = 500;

let rig: TaskRig;
let redis: Redis;
let keys: Keyspace;
let store: TaskStore;

async function start(options: Parameters<typeof taskRig>[0] = {}) {
  rig = await taskRig(options);
  redis = openRedis(rig.redisUrl);
  defineTaskScripts(redis);
  keys = createKeyspace(rig.prefix);
  store = new TaskStore(redis, keys, { now: Date.now, retentionMs: 600_000, submitUnknownMs: 1_000 });
}
afterEach(async () => {
  redis.disconnect();
  await rig.close();
});

async function submitted(): Promise<string> {
  const { task } = await rig.engine.submit(rig.params());
  return task.id;
}
const poll = (id: string, reason?: string) =>
  store.move(id, { from: ['in_progress'], note: { what: 'poll', outcome: 'unclear', ...(reason && { reason }) } });
const total = async (id: string) => (await readTimeline(redis, keys, id)).length;

/** Formats a timeline as short lines. */
function lines(entries: readonly TimelineEntry[]): string[] {
  return entries.map(
    ({ what, outcome = '', status, progress, count = 1 }) =>
      `${what} ${outcome} → ${status} ${progress}${count > 1 ? ` ×${count}` : ''}`,
  );
}

describe("a task's timeline", () => {
  it('lists attempts with their times and responses', async () => {
    await start({
      settings: { lockMs: 60_000 }, // The lock is long, so that it does not expire on a slow machine and repeat a step.
      script: {
        submit: ({ taskId }) => ({ kind: 'accepted', upstreamId: `secret-${taskId}` }),
        poll: (_job, count) =>
          count < 5 ? { kind: 'running', progress: 50 } : { kind: 'succeeded', seconds: '4', size: '320x176' },
      },
    });
    const startedAt = Date.now();
    await rig.startWorker();
    const { task } = await rig.engine.submit(
      rig.params({ request: { kind: 'video', prompt: 'a secret', images: [] } }),
    );
    await rig.end(task);
    const entries = await readTimeline(redis, keys, task.id);
    expect(lines(entries)).toEqual([
      'accepted  → queued 0',
      'dispatched  → queued 0',
      'submission begun → submitting 0',
      'submission accepted → in_progress 1',
      'poll running → in_progress 50',
      'poll running → in_progress 50 ×3',
      'poll succeeded → finishing 50',
      'download stored → completed 100',
    ]);
    expect(entries.map(({ attempt }) => attempt)).toEqual([0, 0, 1, 1, 1, 1, 1, 1]);
    expect(entries.every(({ upstream, route }) => upstream === 'vendor' && route === 0)).toBe(true);
    expect(entries.every(({ at }) => at >= startedAt && at <= Date.now())).toBe(true);
    expect(entries[5]?.until).toBeGreaterThanOrEqual(entries[5]?.at ?? 0);
    expect(JSON.stringify(entries)).not.toMatch(/secret|http:/);
  });

  it('records account, code, message, and HTTP status of each rejection', async () => {
    await start();
    const refusing = {
      ...rig.vendor,
      submit: async (_params: unknown, _signal: unknown, observe?: (response: { httpStatus: number }) => void) => {
        observe?.({ httpStatus: 402 });
        return { kind: 'account', code: 'provider_quota', message: 'no balance' } as const;
      },
    };
    const accounts = { poor: { maxSubmitting: 4, video: refusing }, vendor: { maxSubmitting: 4, video: rig.vendor } };
    await rig.startWorker({ accounts });
    const targets = [
      { upstream: 'poor', model: 'm' },
      { upstream: 'vendor', model: 'm' },
    ];
    const { task } = await rig.engine.submit(rig.params({ targets }));
    await rig.end(task);
    const entries = await readTimeline(redis, keys, task.id);
    expect(entries[3]).toMatchObject({
      what: 'submission',
      outcome: 'account',
      httpStatus: 402,
      code: 'provider_quota',
      reason: 'no balance',
      upstream: 'poor',
      route: 0,
      attempt: 1,
      status: 'queued',
    });
    expect(entries[5]).toMatchObject({
      what: 'submission',
      outcome: 'begun',
      upstream: 'vendor',
      route: 1,
      attempt: 2,
    });
  });

  it('is removed with the record', async () => {
    await start({ settings: { retentionMs: 50 } });
    await rig.startWorker();
    const { task } = await rig.engine.submit(rig.params());
    await rig.end(task);
    await expect.poll(() => redis.exists(keys.task(task.id))).toBe(0);
    expect(await redis.keys(`${keys.prefix}timeline:*`)).toEqual([]);
    expect(await redis.keys(`${keys.prefix}state:*`)).toEqual([]);
  });
});

describe('timeline retention', () => {
  beforeEach(() => start());

  it('is bounded: it never drops changes that clients see, and drops changes of state last', async () => {
    const id = await submitted();
    for (let i = 0; i < 20; i++) {
      await store.move(id, { from: ['queued'], to: 'submitting', note: { what: 'submission', outcome: `${i}` } });
      await store.move(id, { from: ['submitting'], to: 'queued', note: { what: 'submission', outcome: 'busy' } });
    }
    await store.move(id, { from: ['queued'], to: 'in_progress', set: { progress: 1 } });
    for (let i = 0; i < MAX_ENTRIES + 20; i++) await poll(id, `response ${i}`);
    expect(await total(id)).toBe(MAX_ENTRIES);
    expect(await redis.llen(keys.timeline(id, 'moved'))).toBe(40);
    const entries = await readTimeline(redis, keys, id);
    expect(entries[0]?.what).toBe('accepted');
    expect(entries.at(-1)?.reason).toBe(`response ${MAX_ENTRIES + 19}`);

    await redis.del(keys.timeline(id, 'noted'));
    for (let i = 0; i < MAX_ENTRIES; i++) {
      const [from, to] =
        i % 2 === 0 ? (['in_progress', 'finishing'] as const) : (['finishing', 'in_progress'] as const);
      await store.move(id, { from: [from], to });
    }
    expect(await total(id)).toBe(MAX_ENTRIES);
    expect((await readShown(redis, keys, id, 0)).map(({ revision }) => revision)).toEqual([1, 42]);
  });

  it('counts consecutive equal responses as one entry', async () => {
    const id = await submitted();
    await store.move(id, { from: ['queued'], to: 'in_progress', set: { progress: 1 } });
    for (const reason of ['one', 'one', 'two', 'one', 'one', 'one']) await poll(id, reason);
    await store.move(id, { from: ['in_progress'], to: 'canceling' });
    await store.move(id, { from: ['canceling'], to: 'in_progress' });
    await poll(id, 'one');
    const polls = (await readTimeline(redis, keys, id)).filter(({ what }) => what === 'poll');
    expect(polls.map(({ reason, count }) => [reason, count])).toEqual([
      ['one', 2],
      ['two', undefined],
      ['one', 3],
      ['one', undefined],
    ]);
  });

  it('writes one entry if a change is sent twice and none if it is rejected', async () => {
    const id = await submitted();
    const before = await total(id);
    expect((await store.move(id, { from: ['finishing'], note: { what: 'end' } })).result).toBe('refused');
    expect((await store.move(id, { from: ['queued'], epoch: 7, note: { what: 'end' } })).result).toBe('fenced');
    expect(await total(id)).toBe(before);
    const sent: unknown[][] = [];
    const move = redis.sluiceMove.bind(redis);
    redis.sluiceMove = (...args: Parameters<typeof move>) => {
      sent.push(args);
      return move(...args);
    };
    await store.move(id, { from: ['queued'], note: { what: 'end', reason: randomBytes(4_000).toString('hex') } });
    await move(...(sent[0] as Parameters<typeof move>)); // ioredis would also resend this command after a lost reply.
    expect(await total(id)).toBe(before + 1);
    expect((await readTimeline(redis, keys, id)).at(-1)?.reason).toHaveLength(300);
  });
});
