import { createLogger } from '@sluice/telemetry';
import { openRedis, type TaskRig, taskRig } from '@sluice/testkit';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createKeyspace, type Keyspace } from './keyspace.ts';

let rig: TaskRig;
let redis: Redis;
let keys: Keyspace;
beforeEach(async () => {
  rig = await taskRig();
  redis = openRedis(rig.redisUrl);
  keys = createKeyspace(rig.prefix);
});
afterEach(async () => {
  redis.disconnect();
  await rig.close();
});

const submit = async () => (await rig.engine.submit(rig.params())).task;

it.each([
  ['targets', '{'],
  ['outputs', '[{"index":0'],
  ['status', 'asleep'],
  ['createdAt', 'yesterday'],
  ['deadlineAt', ''],
])('reports a task whose %s is %j as damaged and not retryable', async (field, value) => {
  const { id } = await submit();
  await redis.hset(keys.task(id), field, value);
  for (const work of [() => rig.engine.find('owner', id), () => rig.engine.operator.show(id)]) {
    const error: unknown = await work().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'internal_error', retryable: false });
    // The cast is safe because the test has checked that the rejection is an `Error`.
    const { message } = error as Error;
    expect(message).toContain(id);
    expect(message).toContain(field);
  }
});

it('names the id of a task with a missing field', async () => {
  const { id } = await submit();
  await redis.hdel(keys.task(id), 'id', 'upstreamModel');
  await expect(rig.engine.find('owner', id)).rejects.toThrow(`task \`${id}\` is damaged: id is missing`);
});

it('names the id of a task with a damaged request', async () => {
  const { id } = await submit();
  await redis.set(keys.request(id), '{');
  await expect(rig.engine.find('owner', id)).rejects.toThrow(`task \`${id}\` is damaged: the request is not JSON`);
});

it('omits a damaged task from lists', async () => {
  const [first, damaged, last] = [await submit(), await submit(), await submit()];
  await redis.hset(keys.task(damaged.id), 'targets', '{');
  const listed = await rig.engine.list('owner', { kind: 'video', limit: 10, order: 'asc' });
  expect(listed.tasks.map(({ id }) => id)).toEqual([first.id, last.id]);
  const page = await rig.engine.operator.search({ limit: 10 });
  expect(page.tasks.map(({ id }) => id)).toEqual([first.id, last.id]);
});

it('postpones a damaged task in the worker and continues', async () => {
  const damaged = await submit();
  await redis.hset(keys.task(damaged.id), 'targets', '{');
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  await rig.startWorker({ logger: createLogger({ level: 'error', name: 'worker', pretty: false, destination }) });
  const claims = () => redis.hget(keys.task(damaged.id), 'epoch').then(Number);
  await expect.poll(claims).toBe(1);
  expect(await rig.end(await submit())).toMatchObject({ status: 'completed' });
  // Wait for several sweeps, each of which wakes overdue tasks.
  await new Promise((resolve) => setTimeout(resolve, 3_500));
  expect(await claims()).toBe(1);
  expect(lines.filter((line) => line.includes(damaged.id))).toHaveLength(1);
  expect(lines.join('')).toContain('targets is not JSON');
});

it('removes a damaged task that has expired', async () => {
  const task = await submit();
  await rig.startWorker();
  await rig.end(task);
  await redis.hset(keys.task(task.id), 'targets', '{');
  await redis.zadd(keys.expiring, 1, task.id);
  await expect.poll(() => redis.exists(keys.task(task.id))).toBe(0);
});
