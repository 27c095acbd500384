import { getEventListeners } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { resolveRedisServer, startRedis } from '@sluice/embedded-redis';
import { fastTaskSettings, openRedis, type TaskRig, taskRig } from '@sluice/testkit';
import { createLogger } from '@sluice/telemetry';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTaskEngine } from './shards/create-task-engine.ts';
import { createKeyspace } from './store/keyspace.ts';

let rig: TaskRig;
beforeEach(async () => {
  rig = await taskRig();
});
afterEach(() => rig.close());

describe('finding and listing tasks', () => {
  it('returns a task only to its owner', async () => {
    const { task } = await rig.engine.submit(rig.params());
    expect(await rig.engine.find('owner', task.id)).toMatchObject({ id: task.id, status: 'queued', progress: 0 });
    expect(await rig.engine.find('somebody', task.id)).toBeUndefined();
  });

  it.each(['', 'x', 'video_', `video_${'0'.repeat(26)}`, '../../task'])('does not find %j', async (id) => {
    expect(await rig.engine.find('owner', id)).toBeUndefined();
  });

  it('pages through tasks in both orders without gaps or repeats', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 7; i++) {
      ids.push((await rig.engine.submit(rig.params())).task.id);
      await new Promise((resolve) => setTimeout(resolve, 2)); // Wait, because ids are sorted by millisecond.
    }
    for (const order of ['asc', 'desc'] as const) {
      const seen: string[] = [];
      for (let after: string | undefined, more = true; more;) {
        const page = await rig.engine.list('owner', { kind: 'video', limit: 3, order, after });
        seen.push(...page.tasks.map(({ id }) => id));
        [after, more] = [page.next, page.next !== undefined];
      }
      expect(seen).toEqual(order === 'asc' ? ids : ids.toReversed());
    }
    expect(await rig.engine.list('somebody', { kind: 'video', limit: 3, order: 'asc' })).toEqual({
      tasks: [],
    });
  });

  it('examines at most 1,000 tasks for a page, and continues after the last one', async () => {
    const tasks = await Promise.all(Array.from({ length: 1_050 }, () => rig.engine.submit(rig.params())));
    const ids = tasks.map(({ task }) => task.id).toSorted();
    const ended = [ids[3], ids[1_020]].map(String);
    for (const id of ended) await rig.engine.cancel('owner', id);
    const listing = { kind: 'video', limit: 100, order: 'asc', filter: { statuses: ['canceled'] } } as const;
    const first = await rig.engine.list('owner', listing);
    expect([first.tasks.map(({ id }) => id), first.next]).toEqual([[ended[0]], ids[999]]);
    const rest = await rig.engine.list('owner', { ...listing, after: first.next });
    expect([rest.tasks.map(({ id }) => id), rest.next]).toEqual([[ended[1]], undefined]);
  });
});

it('hides a task past its retention before it is removed', async () => {
  const created: string[] = [];
  for (let i = 0; i < 7; i++) {
    const params = rig.params({ idempotencyKey: `k${i}`, externalId: `e${i}` });
    created.push((await rig.engine.submit(params)).task.id);
    await new Promise((resolve) => setTimeout(resolve, 2)); // Wait, because ids are sorted by millisecond.
  }
  const ended = created.filter((_, i) => i !== 0 && i !== 5);
  for (const id of ended) await rig.engine.cancel('owner', id);
  const { redisUrl, prefix, settings } = rig;
  const later = await createTaskEngine({
    redis: { url: redisUrl },
    prefix,
    settings,
    accounts: {},
    commandTimeoutMs: 10_000,
    logger: createLogger({ level: 'silent', name: 'test' }),
    now: () => Date.now() + settings.retentionMs,
  });
  try {
    for (const [i, id] of created.entries()) {
      const isThere = !ended.includes(id);
      expect(await rig.engine.find('owner', id)).toBeDefined();
      expect((await later.find('owner', id)) !== undefined).toBe(isThere);
      expect((await later.findForLink(id)) !== undefined).toBe(isThere);
      expect((await later.findByExternalId('owner', `e${i}`)) !== undefined).toBe(isThere);
    }
    for (const order of ['asc', 'desc'] as const) {
      const listed = order === 'asc' ? [created[0], created[5]] : [created[5], created[0]];
      const first = await later.list('owner', { kind: 'video', limit: 1, order });
      expect([first.tasks.map(({ id }) => id), first.next]).toEqual([[listed[0]], listed[0]]);
      const rest = await later.list('owner', { kind: 'video', limit: 1, order, after: listed[0] });
      expect([rest.tasks.map(({ id }) => id), rest.next]).toEqual([[listed[1]], undefined]);
    }
    // The idempotency key and the external id of an expired task are free again.
    const again = await later.submit(rig.params({ idempotencyKey: 'k1', externalId: 'e1' }));
    expect([again.replayed, again.task.id === created[1]]).toEqual([false, false]);
    await expect(later.submit(rig.params({ externalId: 'e0' }))).rejects.toMatchObject({ param: 'external_task_id' });
  } finally {
    await later.close();
  }
});

describe('submitting a task', () => {
  it('replays the task of a repeated idempotency key', async () => {
    const params = rig.params({ idempotencyKey: 'k' });
    const first = await rig.engine.submit(params);
    expect(await rig.engine.submit(params)).toMatchObject({ task: { id: first.task.id }, replayed: true });
  });

  it('rejects an idempotency key that is reused for another request', async () => {
    await rig.engine.submit(rig.params({ idempotencyKey: 'k' }));
    await expect(rig.engine.submit(rig.params({ idempotencyKey: 'k' }))).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    });
  });

  it('returns to a waiting client as soon as the task ends', async () => {
    await rig.startWorker();
    const { task } = await rig.engine.submit(rig.params());
    expect(await rig.engine.waitForEnd(task, 20_000, new AbortController().signal)).toMatchObject({
      status: 'completed',
    });
  });

  it('returns the current task to a waiting client after the timeout and keeps no listener', async () => {
    const { task } = await rig.engine.submit(rig.params());
    const { signal } = new AbortController();
    expect((await rig.engine.waitForEnd(task, 50, signal)).status).toBe('queued');
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('canceling a task', () => {
  it('always succeeds before submission', async () => {
    const { task } = await rig.engine.submit(rig.params());
    expect(await rig.engine.cancel('owner', task.id)).toMatchObject({
      status: 'canceled',
      error: { code: 'canceled' },
    });
    await rig.startWorker();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(rig.vendor.submissions.size).toBe(0);
  });

  it('calls the vendor once if the task is running', async () => {
    rig.vendor.script.poll = () => ({ kind: 'running', progress: 10 });
    rig.vendor.cancel = async (job) => {
      rig.vendor.canceled.push(job.taskId);
      return { kind: 'canceled' };
    };
    await rig.startWorker();
    const { task } = await rig.engine.submit(rig.params());
    await expect.poll(async () => (await rig.engine.find('owner', task.id))?.status).toBe('in_progress');
    expect((await rig.engine.cancel('owner', task.id)).status).toBe('canceling');
    expect((await rig.end(task)).status).toBe('canceled');
    expect(rig.vendor.canceled).toEqual([task.id]);
  });

  it('completes the task if the vendor reports that it is too late', async () => {
    rig.vendor.script.poll = () => ({ kind: 'running', progress: 10 });
    rig.vendor.cancel = () => Promise.resolve({ kind: 'too_late' });
    await rig.startWorker();
    const { task } = await rig.engine.submit(rig.params());
    await expect.poll(async () => (await rig.engine.find('owner', task.id))?.status).toBe('in_progress');
    await rig.engine.cancel('owner', task.id);
    expect((await rig.end(task)).status).toBe('completed');
  });

  it('waits for the response of a submission in flight, then cancels', async () => {
    let response: (() => void) | undefined;
    const canceled = new Promise<void>((resolve) => {
      rig.vendor.script.submit = () => {
        resolve();
        return new Promise((accept) => {
          response = () => accept(undefined);
        });
      };
    });
    rig.vendor.cancel = () => Promise.resolve({ kind: 'canceled' });
    await rig.startWorker();
    const { task } = await rig.engine.submit(rig.params());
    await canceled;
    expect((await rig.engine.cancel('owner', task.id)).status).toBe('submitting');
    response?.();
    expect((await rig.end(task)).status).toBe('canceled');
  });

  it('is rejected after the end and idempotent before', async () => {
    const { task } = await rig.engine.submit(rig.params());
    await rig.engine.cancel('owner', task.id);
    expect((await rig.engine.cancel('owner', task.id)).status).toBe('canceled');
    await rig.startWorker();
    const { task: done } = await rig.engine.submit(rig.params());
    await rig.end(done);
    await expect(rig.engine.cancel('owner', done.id)).rejects.toMatchObject({ code: 'task_final' });
    await expect(rig.engine.cancel('somebody', done.id)).rejects.toMatchObject({ code: 'video_not_found' });
  });
});

describe('deleting a task', () => {
  it('hides the task at once and removes its content', async () => {
    await rig.startWorker();
    const { task } = await rig.engine.submit(rig.params());
    const ended = await rig.end(task);
    await rig.engine.remove('owner', task.id);
    expect(await rig.engine.find('owner', task.id)).toBeUndefined();
    expect((await rig.engine.list('owner', { kind: 'video', limit: 10, order: 'asc' })).tasks).toEqual([]);
    await expect(rig.engine.remove('owner', task.id)).rejects.toMatchObject({ code: 'video_not_found' });
    await expect
      .poll(() =>
        rig.content.check(ended.outputs[0]?.content?.key ?? '').then(
          () => true,
          () => false,
        ),
      )
      .toBe(false);
  });

  it('cancels an open task first', async () => {
    const { task } = await rig.engine.submit(rig.params());
    await rig.engine.remove('owner', task.id);
    await rig.startWorker();
    const redis = openRedis(rig.redisUrl);
    await expect.poll(() => redis.exists(createKeyspace(rig.prefix).task(task.id))).toBe(0);
    redis.disconnect();
    expect(rig.vendor.submissions.size).toBe(0);
  });
});

describe('reading a task', () => {
  it('brings the next poll forward', async () => {
    rig.vendor.script.poll = (_job, count) =>
      count === 1 ? { kind: 'running', retryAfterMs: 60_000 } : { kind: 'succeeded' };
    await rig.startWorker();
    const { task } = await rig.engine.submit(rig.params());
    await expect.poll(() => rig.vendor.polls.get(task.id)).toBe(1);
    const currentStatus = async () => {
      const seen = await rig.engine.find('owner', task.id);
      if (seen) rig.engine.pollSoon(seen);
      return seen?.status;
    };
    await expect.poll(currentStatus).toBe('completed');
  });
});

describe('an engine without Redis', () => {
  it('reports quickly that tasks are unavailable while Redis is full or away, and recovers with it', async () => {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'sluice-away-'));
    const server = await resolveRedisServer({
      env: process.env,
      spareCacheDir: path.join(tmpdir(), `sluice-redis-${process.getuid?.() ?? 0}`),
    });
    let redis = await startRedis({ server, dataDir, appendOnly: true, env: process.env });
    const engine = await createTaskEngine({
      redis: { url: redis.url },
      prefix: 'away',
      accounts: { vendor: { maxSubmitting: 4 } },
      settings: fastTaskSettings(),
      commandTimeoutMs: 1_000,
      logger: createLogger({ level: 'silent', name: 'test' }),
    });
    try {
      const { task } = await engine.submit(rig.params());
      const operator = openRedis(redis.url);
      await operator.config('SET', 'maxmemory', '1');
      // Nothing was written, so a retry does not create a second task.
      await expect(engine.submit(rig.params())).rejects.toMatchObject({
        code: 'store_unavailable',
        retryable: true,
        retryAfterMs: 1_000,
      });
      await operator.config('SET', 'maxmemory', '0');
      operator.disconnect();
      expect((await engine.list('owner', { kind: 'video', limit: 10, order: 'asc' })).tasks).toHaveLength(1);
      await redis.stop();
      expect(await engine.ready()).toBe(false);
      await expect(engine.submit(rig.params())).rejects.toMatchObject({ code: 'store_unavailable', retryable: true });
      await expect(engine.find('owner', task.id)).rejects.toMatchObject({ code: 'store_unavailable' });
      redis = await startRedis({ server, dataDir, appendOnly: true, env: process.env });
      await expect.poll(() => engine.find('owner', task.id).catch(() => undefined)).toMatchObject({ id: task.id });
    } finally {
      await engine.close();
      await redis.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
