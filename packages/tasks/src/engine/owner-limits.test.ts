import { openRedis, scriptedVendor, type TaskRig, taskRig } from '@sluice/testkit';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { outcomes } from '../../test/outcomes.ts';
import type { TaskAllowance } from '../store/admission.ts';

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

describe('limits of unfinished tasks', () => {
  beforeEach(() => start());

  it('admit exactly the limit under concurrency and record no other task', async () => {
    expect(await outcomes(rig, 200, { openTasks: 10 })).toEqual({ new: 10, rate_limited: 190 });
    const { tasks } = await rig.engine.list('owner', { kind: 'video', limit: 100, order: 'asc' });
    expect(tasks).toHaveLength(10);
    expect(await redis.keys(`{${rig.prefix}}:request:*`)).toHaveLength(10);
  });

  it('replay a repeated request even if the limit is reached', async () => {
    const params = rig.params({ allowance: { openTasks: 1 }, idempotencyKey: 'once' });
    const { task } = await rig.engine.submit(params);
    expect(await rig.engine.submit(params)).toMatchObject({ replayed: true, task: { id: task.id } });
    const retried = await rig.engine.submit({ ...params, idempotencyKey: 'twice' }).catch((error: unknown) => error);
    expect(retried).toMatchObject({ code: 'rate_limited', status: 429, retryable: true });
  });

  it('free capacity when tasks end or are canceled', async () => {
    const { task } = await rig.engine.submit(rig.params({ allowance: { openTasks: 1 } }));
    await rig.engine.cancel('owner', task.id);
    const next = await rig.engine.submit(rig.params({ allowance: { openTasks: 1 } }));
    await rig.startWorker();
    expect((await rig.end(next.task)).status).toBe('completed');
    expect(await outcomes(rig, 3, { openTasks: 1 })).toMatchObject({ new: 1 });
  });

  it('leave the external id of a rejected task free', async () => {
    await rig.engine.submit(rig.params({ allowance: { openTasks: 1 } }));
    const newTask = rig.params({ allowance: { openTasks: 1 }, externalId: 'mine' });
    await expect(rig.engine.submit(newTask)).rejects.toMatchObject({ code: 'rate_limited' });
    expect(await redis.keys(`{${rig.prefix}}:external:*`)).toEqual([]);
    expect((await rig.engine.submit({ ...newTask, allowance: { openTasks: 2 } })).replayed).toBe(false);
  });
});

describe('limits of dispatched tasks', () => {
  const capped: TaskAllowance = { concurrentTasks: 2 };

  it('apply across accounts and workers, and all tasks end', async () => {
    await start();
    const other = scriptedVendor();
    const caps = { maxSubmitting: 16 };
    const accounts = {
      vendor: { ...caps, video: rig.vendor, image: rig.vendor },
      other: { ...caps, video: other, image: other },
    };
    let max = 0;
    const both = () => rig.vendor.running.now + other.running.now;
    for (const vendor of [rig.vendor, other]) {
      vendor.script.poll = () => {
        max = Math.max(max, both());
        return undefined;
      };
    }
    const paramsList = Array.from({ length: 24 }, (_, index) =>
      rig.params({ allowance: capped, targets: [{ upstream: index % 2 === 0 ? 'vendor' : 'other', model: 'm' }] }),
    );
    const admitted = await Promise.all(paramsList.map((params) => rig.engine.submit(params)));
    await Promise.all([rig.startWorker({ accounts }), rig.startWorker({ accounts })]);
    const ended = await Promise.all(admitted.map(({ task }) => rig.end(task)));
    expect(new Set(ended.map(({ status }) => status))).toEqual(new Set(['completed']));
    expect(max).toBe(2);
    expect(await redis.scard(`{${rig.prefix}}:running:owner`)).toBe(0);
  });

  it('delay no other owner', async () => {
    await start({
      script: { poll: ({ taskId }) => (blocked.has(taskId) ? { kind: 'running', progress: 1 } : undefined) },
    });
    const blocked = new Set<string>();
    for (let count = 0; count < 5; count++) {
      const { task } = await rig.engine.submit(rig.params({ ownerId: 'heavy', allowance: { concurrentTasks: 1 } }));
      blocked.add(task.id);
    }
    const light = await Promise.all(
      Array.from({ length: 5 }, () => rig.engine.submit(rig.params({ ownerId: 'light', allowance: {} }))),
    );
    await rig.startWorker();
    for (const { task } of light) expect((await rig.end(task)).status).toBe('completed');
    expect(rig.vendor.submissions.size).toBe(6);
  });

  it('alternate between accounts', async () => {
    await start();
    const { dispatched } = await waiting(['a', 'a', 'a', 'b', 'b', 'b']);
    // The first task was dispatched immediately. Of the remaining tasks, the next one of `a` had waited longest.
    expect(dispatched.map((id) => id.slice(0, 1))).toEqual(['a', 'a', 'b', 'a', 'b', 'b']);
  });

  it('dispatch more tasks when the limit is raised, by an admission or separately', async () => {
    await start();
    const allowance = { concurrentTasks: 1 };
    for (let count = 0; count < 6; count++) await rig.engine.submit(rig.params({ allowance }));
    const running = () => redis.scard(`{${rig.prefix}}:running:owner`);
    expect(await running()).toBe(1);
    await rig.engine.capOwners(new Map([['owner', 3]]));
    expect(await running()).toBe(3);
    await rig.engine.submit(rig.params({ allowance: { concurrentTasks: 4 } }));
    expect(await running()).toBe(4);
    await rig.engine.submit(rig.params());
    expect(await running()).toBe(8);
  });
});

/** Queues tasks of an owner with one slot at several accounts. Ends each dispatched task until no task is left. */
async function waiting(accounts: readonly string[]): Promise<{ dispatched: string[] }> {
  const names = new Map<string, string>();
  for (const upstream of accounts) {
    const params = rig.params({ allowance: { concurrentTasks: 1 }, targets: [{ upstream, model: 'm' }] });
    const { task } = await rig.engine.submit(params);
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
