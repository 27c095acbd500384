import { GatewayError } from '@sluice/canonical';
import { openRedis, type RedisProgram, startRedisProgram, type TaskRig, taskRig } from '@sluice/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shardOf } from './shard-of.ts';

const TASKS = 30;
let servers: RedisProgram[];
let rig: TaskRig;

beforeEach(async () => {
  servers = await Promise.all(
    [0, 1, 2].map(() => startRedisProgram({ args: ['--save', '', '--appendonly', 'yes', '--hz', '100'] })),
  );
  const [home = '', ...shards] = servers.map(({ port }) => `redis://127.0.0.1:${port}`);
  rig = await taskRig({ redis: { url: home, shards: shards.map((url) => ({ url })) } });
});
afterEach(async () => {
  for (const server of servers) server.resume();
  await rig.close();
  await Promise.all(servers.map((server) => server.stop()));
});

async function create(count = TASKS, over: Parameters<TaskRig['params']>[0] = {}) {
  const admitted = await Promise.all(Array.from({ length: count }, () => rig.engine.submit(rig.params(over))));
  return admitted.map(({ task }) => task);
}

describe('an engine over three Redis servers', () => {
  it('spreads tasks, and runs each of them once', async () => {
    await rig.startWorker();
    const tasks = await create();
    expect(new Set(tasks.map(({ id }) => shardOf(id)))).toEqual(new Set([0, 1, 2]));
    const ended = await Promise.all(tasks.map((task) => rig.end(task)));
    expect(ended.every(({ status }) => status === 'completed')).toBe(true);
    expect([...rig.vendor.submissions.values()]).toEqual(tasks.map(() => 1));
    expect((await rig.engine.stats()).tasks['completed']).toBe(TASKS);
  });

  it('pauses and resumes the tasks of an owner on all servers', async () => {
    await rig.startWorker();
    await rig.engine.pauseOwner('owner', true);
    const tasks = await create();
    const others = await create(TASKS, { ownerId: 'other' });
    for (const task of others) await rig.end(task);
    expect(await Promise.all(tasks.map(({ id }) => rig.engine.find('owner', id)))).toEqual(
      tasks.map(({ id }) => expect.objectContaining({ id, status: 'queued' })),
    );
    await rig.engine.pauseOwner('owner', false);
    const ended = await Promise.all(tasks.map((task) => rig.end(task)));
    expect(ended.every(({ status }) => status === 'completed')).toBe(true);
  });

  it('lists the tasks of all servers in the order of their creation', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 12; index++) {
      ids.push(...(await create(1)).map(({ id }) => id));
      await new Promise((resolve) => setTimeout(resolve, 2)); // Ids are sorted by millisecond.
    }
    for (const order of ['asc', 'desc'] as const) {
      const listed: string[] = [];
      for (let after: string | undefined, more = true; more;) {
        const page = await rig.engine.list('owner', { kind: 'video', limit: 5, order, after });
        listed.push(...page.tasks.map(({ id }) => id));
        [after, more] = [page.next, page.next !== undefined];
      }
      expect(listed).toEqual(order === 'asc' ? ids : ids.toReversed());
    }
    for (const owner of [undefined, 'owner']) {
      const browsed: string[] = [];
      for (let after: string | undefined, more = true; more;) {
        const page = await rig.engine.browse({ owner, after, limit: 5 });
        browsed.push(...page.tasks.map(({ id }) => id));
        [after, more] = [page.next, page.next !== undefined];
      }
      expect(browsed).toEqual(ids.toReversed());
    }
    const found: string[] = [];
    for (let after: string | undefined, more = true; more;) {
      const page = await rig.engine.operator.search({ after, limit: 5 });
      found.push(...page.tasks.map(({ id }) => id));
      [after, more] = [page.next, page.next !== undefined];
    }
    expect(found).toEqual(ids);
  });

  it('returns the earlier task for a repeated request, wherever it is', async () => {
    const params = rig.params({ idempotencyKey: 'once', externalId: 'mine' });
    const { task } = await rig.engine.submit(params);
    // The new prompt has another place, but the key decides.
    for (let index = 0; index < 6; index++) {
      const request = { kind: 'video' as const, prompt: `other ${index}`, images: [] };
      const repeated = await rig.engine.submit({ ...params, request });
      expect(repeated).toMatchObject({ replayed: true, task: { id: task.id } });
    }
    expect((await rig.engine.findByExternalId('owner', 'mine'))?.id).toBe(task.id);
    await expect(rig.engine.submit({ ...params, digest: 'another' })).rejects.toThrow('was used for another request');
  });

  it('stores an input image once for each server', async () => {
    const admitted = await Promise.all(
      Array.from({ length: TASKS }, (_, index) => {
        const file = { key: `inputs/${index}`, mediaType: 'image/png', filename: 'a.png', bytes: 1, sha256: 'a' };
        const images = [{ role: 'reference' as const, source: { kind: 'stored' as const, ...file } }];
        return rig.engine.submit(rig.params({ request: { kind: 'video', prompt: `prompt ${index}`, images } }));
      }),
    );
    const storing = admitted.filter(({ unusedInputs }) => unusedInputs.length === 0);
    expect(storing).toHaveLength(3);
    expect(new Set(storing.map(({ task }) => shardOf(task.id)))).toEqual(new Set([0, 1, 2]));
  });

  it('keeps tasks with limits on the home, where the limits are exact', async () => {
    const allowance = { openTasks: 3 };
    const created = await create(3, { allowance });
    expect(new Set(created.map(({ id }) => shardOf(id)))).toEqual(new Set([0]));
    await expect(create(1, { allowance })).rejects.toThrow(GatewayError);
  });
});

describe('the loss of one of three servers', () => {
  it('delays only its tasks, and loses none', async () => {
    rig.vendor.script.poll = (_job, count) => (count < 20 ? { kind: 'running', progress: 10 } : undefined);
    await rig.startWorker();
    const tasks = await create();
    const [own, others] = [tasks.filter(({ id }) => shardOf(id) === 1), tasks.filter(({ id }) => shardOf(id) !== 1)];
    expect(own.length).toBeGreaterThan(0);
    servers[1]?.pause();
    const ended = await Promise.all(others.map((task) => rig.end(task)));
    expect(ended.every(({ status }) => status === 'completed')).toBe(true);
    await expect(rig.engine.find('owner', own[0]?.id ?? '')).rejects.toThrow(GatewayError);
    // Redis closes no connection while it is paused, so the API notices the loss after its timeouts.
    await expect.poll(async () => (await create(3).catch(() => [])).length).toBe(3);
    expect(await rig.engine.ready()).toBe(true);

    servers[1]?.resume();
    delete rig.vendor.script.poll;
    const late = await Promise.all(own.map((task) => rig.end(task)));
    expect(late.every(({ status }) => status === 'completed')).toBe(true);
    expect([...rig.vendor.submissions.values()].every((count) => count === 1)).toBe(true);
  }, 90_000);
});

describe('a pause during the loss of a server', () => {
  it('is reported as incomplete, and complete soon after the server is back', { timeout: 60_000 }, async () => {
    await rig.startWorker();
    servers[1]?.pause();
    await expect(rig.engine.pauseOwner('owner', true)).rejects.toThrow('The tasks are paused, except on Redis servers');
    expect(await rig.engine.isOwnerPaused('owner')).toBe(true);
    servers[1]?.resume();
    const lost = openRedis(`redis://127.0.0.1:${servers[1]?.port}`);
    const key = `{${rig.prefix}}:paused_owners`;
    const pausedThere = () => lost.sismember(key, 'owner');
    await expect.poll(pausedThere).toBe(1);
    // The server may have received the command before it was paused.
    await lost.srem(key, 'owner');
    await expect.poll(pausedThere).toBe(1);
    const tasks = await create();
    for (const task of await create(TASKS, { ownerId: 'other' })) await rig.end(task);
    expect(new Set(tasks.map(({ id }) => shardOf(id)))).toEqual(new Set([0, 1, 2]));
    for (const { id } of tasks) expect(await rig.engine.find('owner', id)).toMatchObject({ status: 'queued' });

    servers[1]?.pause();
    await expect(rig.engine.pauseOwner('owner', false)).rejects.toThrow('The tasks are resumed');
    servers[1]?.resume();
    for (const task of tasks) await rig.end(task);
    expect(await pausedThere()).toBe(0);
    lost.disconnect();
  });
});

describe('a worker of some servers', () => {
  it('leaves the tasks of the others to other workers', async () => {
    await rig.startWorker({ shards: [0, 2] });
    const tasks = await create();
    const own = tasks.filter(({ id }) => shardOf(id) === 1);
    await Promise.all(tasks.filter((task) => !own.includes(task)).map((task) => rig.end(task)));
    const waiting = await Promise.all(own.map(({ id }) => rig.engine.find('owner', id)));
    expect(waiting.every((task) => task?.status === 'queued')).toBe(true);
    await rig.startWorker({ shards: [1] });
    expect((await Promise.all(own.map((task) => rig.end(task)))).every(({ status }) => status === 'completed')).toBe(
      true,
    );
  });
});
