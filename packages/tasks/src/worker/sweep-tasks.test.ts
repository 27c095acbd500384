import { openRedis, type TaskRig, taskRig } from '@sluice/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { createKeyspace } from '../store/keyspace.ts';

let rig: TaskRig;
afterEach(() => rig.close());

/** Waits until a task is removed. A task past its retention is reported as missing even before that. */
async function untilCleared(id: string): Promise<void> {
  const redis = openRedis(rig.redisUrl);
  try {
    await expect.poll(() => redis.exists(createKeyspace(rig.prefix).task(id))).toBe(0);
  } finally {
    redis.disconnect();
  }
}

describe('the sweeper', () => {
  it('removes a final task with its content at the end of its retention', async () => {
    rig = await taskRig({ settings: { retentionMs: 200 } });
    await rig.startWorker();
    const { task } = await rig.engine.submit(rig.params());
    const ended = await rig.end(task);
    expect(ended.expiresAt).toBe((ended.completedAt ?? 0) + 200);
    await untilCleared(task.id);
    await expect(rig.content.open(ended.outputs[0]?.content?.key ?? '')).rejects.toThrow();
    expect((await rig.engine.stats()).tasks['completed']).toBe(0);
  });

  it("removes a task from the counters of its owner's open and dispatched tasks", async () => {
    rig = await taskRig({ settings: { retentionMs: 1 } });
    const { task } = await rig.engine.submit(rig.params());
    await rig.engine.cancel('owner', task.id);
    const redis = openRedis(rig.redisUrl);
    const { prefix } = createKeyspace(rig.prefix);
    const sets = [`${prefix}open:owner`, `${prefix}running:owner`];
    for (const set of sets) await redis.sadd(set, task.id);
    await rig.startWorker();
    await untilCleared(task.id);
    expect(await redis.exists(...sets)).toBe(0);
    redis.disconnect();
  });

  it('dispatches tasks of an owner whose capacity was freed without a wake-up', async () => {
    rig = await taskRig();
    const allowance = { concurrentTasks: 1 };
    const redis = openRedis(rig.redisUrl);
    const { prefix } = createKeyspace(rig.prefix);
    const running = `${prefix}running:owner`;
    await redis.sadd(running, 'video_gone');
    const { task } = await rig.engine.submit(rig.params({ allowance }));
    await rig.startWorker();
    expect(await redis.smembers(`${prefix}parked_owners`)).toEqual(['owner']);
    await redis.srem(running, 'video_gone');
    expect((await rig.end(task)).status).toBe('completed');
    await expect.poll(() => redis.exists(`${prefix}parked_owners`)).toBe(0);
    redis.disconnect();
  });

  it('continues while the content store is unavailable', async () => {
    rig = await taskRig({ settings: { retentionMs: 1 } });
    const removals: string[] = [];
    const remove = (key: string) => {
      removals.push(key);
      return new Promise<never>(() => undefined);
    };
    const worker = await rig.startWorker({ content: { ...rig.content, remove } });
    const { task } = await rig.engine.submit(rig.params());
    await rig.end(task);
    await expect.poll(() => removals).toHaveLength(1);
    // No worker serves this account, so only the sweeper can end the task.
    const { task: lost } = await rig.engine.submit(rig.params({ targets: [{ upstream: 'gone', model: 'm' }] }));
    const redis = openRedis(rig.redisUrl);
    const keys = createKeyspace(rig.prefix);
    await redis.hset(keys.task(lost.id), 'deadlineAt', 1);
    await redis.zadd(keys.due, 1, lost.id);
    expect(await rig.end(lost)).toMatchObject({ status: 'failed', error: { code: 'no_upstream' } });
    redis.disconnect();
    await worker.close(0);
  });

  it('removes tasks one by one and retries those whose file could not be removed', async () => {
    rig = await taskRig({ settings: { retentionMs: 1 } });
    let isDown = true;
    const remove = (key: string) => (isDown ? Promise.reject(new Error('down')) : rig.content.remove(key));
    await rig.startWorker({ content: { ...rig.content, remove } });
    const { task } = await rig.engine.submit(rig.params());
    const { outputs } = await rig.end(task);
    const redis = openRedis(rig.redisUrl);
    const { expiring } = createKeyspace(rig.prefix);
    // The task's removal was postponed by a minute.
    await expect.poll(async () => Number(await redis.zscore(expiring, task.id)) > Date.now() + 30_000).toBe(true);
    isDown = false;
    await redis.zadd(expiring, 1, task.id);
    await untilCleared(task.id);
    await expect(rig.content.open(outputs[0]?.content?.key ?? '')).rejects.toThrow();
    redis.disconnect();
  });

  it('ends a task whose upstream is no longer configured at its deadline', async () => {
    rig = await taskRig({ settings: { queueDeadlineMs: 200 } });
    const targets = [{ upstream: 'gone', model: 'm' }];
    const { task } = await rig.engine.submit(rig.params({ targets }));
    await rig.startWorker();
    expect(await rig.end(task)).toMatchObject({ status: 'failed', error: { code: 'no_upstream' } });
  });

  it('reports a lost submission to such an upstream as possibly accepted', async () => {
    rig = await taskRig({});
    const { task } = await rig.engine.submit(rig.params({ targets: [{ upstream: 'gone', model: 'm' }] }));
    const redis = openRedis(rig.redisUrl);
    const keys = createKeyspace(rig.prefix);
    await redis.hset(keys.task(task.id), 'status', 'submit_unknown', 'deadlineAt', 1);
    await redis.zadd(keys.due, 1, task.id);
    await rig.startWorker();
    expect(await rig.end(task)).toMatchObject({ status: 'failed', error: { code: 'submission_unknown' } });
    redis.disconnect();
  });

  it('dispatches queued tasks after a pause', async () => {
    let first = true;
    rig = await taskRig({
      script: {
        submit: () => {
          if (!first) return undefined;
          first = false;
          return { kind: 'busy', code: 'rate_limited', message: 'slow down', retryAfterMs: 100 };
        },
      },
    });
    await rig.startWorker();
    const tasks = await Promise.all([1, 2, 3].map(() => rig.engine.submit(rig.params())));
    const ended = await Promise.all(tasks.map(({ task }) => rig.end(task)));
    expect(ended.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed']);
  });

  it('removes due times of missing records', async () => {
    rig = await taskRig();
    const redis = openRedis(rig.redisUrl);
    const { due } = createKeyspace(rig.prefix);
    await redis.zadd(due, 1, `video_${'0'.repeat(26)}`);
    await rig.startWorker();
    await expect.poll(() => redis.zcard(due)).toBe(0);
    redis.disconnect();
  });
});
