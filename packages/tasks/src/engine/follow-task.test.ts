import { isFinal, type MediaTask, publicStatus } from '@sluice/canonical';
import { createLogger } from '@sluice/telemetry';
import { openRedis, type TaskRig, taskRig } from '@sluice/testkit';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { createTaskEngine } from '../shards/create-task-engine.ts';
import { followTask } from './follow-task.ts';
import { createKeyspace } from '../store/keyspace.ts';
import type { TaskEngine } from '../shards/task-engine.ts';
import type { TaskChange } from './task-requests.ts';
import { TaskEvents } from './task-events.ts';
import { TaskStore } from '../store/task-store.ts';

let rig: TaskRig;
afterEach(() => rig.close());

const never = new AbortController().signal;

/** A vendor whose progress rises and that returns each value in two polls. */
const risingProgress = (polls = 12): NonNullable<Parameters<typeof taskRig>[0]>['script'] => ({
  poll: (_job, count) =>
    count < polls
      ? { kind: 'running', progress: 5 * Math.ceil(count / 2) }
      : { kind: 'succeeded', seconds: '4', size: '320x176' },
});

async function all(changes: AsyncIterable<TaskChange>): Promise<TaskChange[]> {
  const received: TaskChange[] = [];
  for await (const change of changes) received.push(change);
  return received;
}

const shown = (changes: readonly TaskChange[]) =>
  changes.map(({ task }) => `${publicStatus(task.status)} ${task.progress}`);

const ALL_CHANGES = [
  'queued 0',
  'in_progress 1',
  ...[5, 10, 15, 20, 25, 30].map((progress) => `in_progress ${progress}`),
  'completed 100',
];

async function submitted(): Promise<MediaTask> {
  return (await rig.engine.submit(rig.params())).task;
}

describe('followTask', () => {
  it('yields each visible change once and in order as it happens', async () => {
    rig = await taskRig({ script: risingProgress() });
    const task = await submitted();
    const following = all(rig.engine.follow(task, 0, never));
    await rig.startWorker();
    const changes = await following;
    expect(shown(changes)).toEqual(ALL_CHANGES);
    expect(changes.at(-1)?.task).toMatchObject({ status: 'completed', prompt: 'prompt 1', size: '320x176' });
    const revisions = changes.map(({ revision }) => revision);
    expect(revisions).toEqual(revisions.toSorted((a, b) => a - b));
  });

  it('yields the same changes for a task that has ended', async () => {
    rig = await taskRig({ script: risingProgress() });
    await rig.startWorker();
    const ended = await rig.end(await submitted());
    expect(shown(await all(rig.engine.follow(ended, 0, never)))).toEqual(ALL_CHANGES);
  });

  it('continues after any revision, wherever and however often it was interrupted', async () => {
    rig = await taskRig({ script: risingProgress() });
    await rig.startWorker();
    const ended = await rig.end(await submitted());
    const complete = await all(rig.engine.follow(ended, 0, never));
    for (let after = 0; after <= ended.revision; after++) {
      const rest = await all(rig.engine.follow(ended, after, never));
      expect(rest).toEqual(complete.filter(({ revision }) => revision > after));
    }
    const cuts = fc.array(fc.nat(complete.length), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(cuts, async (lengths) => {
        const received: TaskChange[] = [];
        for (const length of [...lengths, complete.length]) {
          let left = length;
          for await (const change of rig.engine.follow(ended, received.at(-1)?.revision ?? 0, never)) {
            if (left-- === 0) break;
            received.push(change);
          }
        }
        expect(received).toEqual(complete);
      }),
      { numRuns: 50, seed: 11 },
    );
  });

  it('starts over for a revision that the task never had', async () => {
    rig = await taskRig({ script: risingProgress() });
    await rig.startWorker();
    const ended = await rig.end(await submitted());
    expect(shown(await all(rig.engine.follow(ended, 9_999, never)))).toEqual(ALL_CHANGES);
  });

  it('yields everything to all followers over several processes, even with a trimmed event stream', async () => {
    rig = await taskRig({ script: risingProgress() });
    const logger = createLogger({ level: 'silent', name: 'test' });
    const { redisUrl, prefix, settings } = rig;
    const accounts = { vendor: { maxSubmitting: 16 } };
    const other = await createTaskEngine({
      redis: { url: redisUrl },
      prefix,
      settings,
      accounts,
      commandTimeoutMs: 2_000,
      logger,
    });
    const redis = openRedis(redisUrl);
    const trimming = setInterval(() => void redis.del(createKeyspace(prefix).events), 2);
    try {
      const task = await submitted();
      const engines: TaskEngine[] = Array.from({ length: 200 }, (_, i) => (i % 2 ? rig.engine : other));
      const following = engines.map((engine) => all(engine.follow(task, 0, never)));
      await rig.startWorker();
      for (const changes of await Promise.all(following)) expect(shown(changes)).toEqual(ALL_CHANGES);
    } finally {
      clearInterval(trimming);
      redis.disconnect();
      await other.close();
    }
  });

  it('buffers nothing for a slow consumer and loses nothing', async () => {
    rig = await taskRig({ script: risingProgress() });
    const task = await submitted();
    await rig.startWorker();
    const changes: TaskChange[] = [];
    for await (const change of rig.engine.follow(task, 0, never)) {
      changes.push(change);
      if (changes.length === 1) await rig.end(task);
    }
    expect(shown(changes)).toEqual(ALL_CHANGES);
  });

  it('ends with cancellation, deletion, and an aborted signal', async () => {
    rig = await taskRig();
    const canceled = await submitted();
    const following = all(rig.engine.follow(canceled, 0, never));
    await rig.engine.cancel('owner', canceled.id);
    expect((await following).at(-1)?.task).toMatchObject({ status: 'canceled', error: { code: 'canceled' } });

    const deleted = await submitted();
    const watching = all(rig.engine.follow(deleted, 0, never));
    await rig.engine.remove('owner', deleted.id);
    expect((await watching).every(({ task }, i) => i === 0 || isFinal(task.status))).toBe(true);

    const running = await submitted();
    const redis = openRedis(rig.redisUrl);
    const store = new TaskStore(redis, createKeyspace(rig.prefix), { now: Date.now, ...rig.settings });
    await store.move(running.id, { from: ['queued'], to: 'in_progress', set: { progress: 1 } });
    const changes = rig.engine.follow(running, 0, never);
    await changes.next();
    await rig.engine.remove('owner', running.id);
    const rest = await all(changes);
    expect(rest.map(({ task }) => task.status)).not.toContain('canceling');
    redis.disconnect();

    const left = new AbortController();
    const waiting = all(rig.engine.follow(await submitted(), 0, left.signal));
    left.abort();
    expect((await waiting).length).toBeLessThanOrEqual(1);
  });

  it('receives changes and aborts without rereading the record', async () => {
    rig = await taskRig({ script: risingProgress() });
    const redis = openRedis(rig.redisUrl);
    const keys = createKeyspace(rig.prefix);
    const store = new TaskStore(redis, keys, { now: Date.now, retentionMs: 600_000, submitUnknownMs: 1_000 });
    const events = new TaskEvents(openRedis(rig.redisUrl), keys.events);
    const context = { redis, keys, store, events, rereadMs: 3_600_000 };
    try {
      let isListening = false;
      events.watch('probe', () => {
        isListening = true;
      });
      const listens = async () => {
        await redis.xadd(keys.events, '*', 'id', 'probe');
        return isListening;
      };
      await expect.poll(listens).toBe(true);

      const left = new AbortController();
      for await (const { task } of followTask(context, await submitted(), 0, left.signal)) {
        expect(task.status).toBe('queued');
        setTimeout(() => left.abort(), 50); // Aborts while the caller waits for the next change.
      }
      const following = all(followTask(context, await submitted(), 0, never));
      await rig.startWorker();
      expect(shown(await following)).toEqual(ALL_CHANGES);
    } finally {
      events.close();
      redis.disconnect();
    }
  });

  it('yields the end of a task whose timeline is missing', async () => {
    rig = await taskRig();
    const redis = openRedis(rig.redisUrl);
    const task = await submitted();
    await redis.del(createKeyspace(rig.prefix).timeline(task.id, 'shown'));
    const following = all(rig.engine.follow(task, 0, never));
    await rig.startWorker();
    await rig.end(task);
    await redis.del(createKeyspace(rig.prefix).timeline(task.id, 'shown'));
    redis.disconnect();
    const changes = await following;
    expect(shown(changes)[0]).toBe('queued 0');
    expect(shown(changes).at(-1)).toBe('completed 100');
  });
});
