import { type RedisProgram, startRedisProgram, type TaskRig, taskRig } from '@sluice/testkit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { shardOf } from './shard-of.ts';

const TASKS = 30;
let servers: RedisProgram[];
let rigs: TaskRig[];

beforeEach(async () => {
  servers = await Promise.all([0, 1, 2].map(() => startRedisProgram({ args: ['--save', ''] })));
  rigs = [];
});
afterEach(async () => {
  for (const rig of rigs) await rig.close();
  await Promise.all(servers.map((server) => server.stop()));
});

/** Starts a gateway with the first servers. */
async function gatewayOn(count: number): Promise<TaskRig> {
  const [url = '', ...shards] = servers.slice(0, count).map(({ port }) => `redis://127.0.0.1:${port}`);
  const rig = await taskRig({ redis: { url, shards: shards.map((one) => ({ url: one })) }, prefix: 'added' });
  rigs.push(rig);
  return rig;
}

async function create(rig: TaskRig) {
  const created = Array.from({ length: TASKS }, (_, index) =>
    rig.engine.submit(
      rig.params({ idempotencyKey: `key-${index}`, request: { kind: 'video', prompt: `p ${index}`, images: [] } }),
    ),
  );
  return (await Promise.all(created)).map(({ task }) => task);
}

it('an added shard knows the pauses of owners', async () => {
  const before = await gatewayOn(2);
  await before.engine.pauseOwner('owner', true);
  const after = await gatewayOn(3);
  await after.startWorker();
  const tasks = await create(after);
  const others = await Promise.all(tasks.map(() => after.engine.submit(after.params({ ownerId: 'other' }))));
  for (const { task } of others) await after.end(task);
  expect(new Set(tasks.map(({ id }) => shardOf(id)))).toEqual(new Set([0, 1, 2]));
  for (const { id } of tasks) expect(await after.engine.find('owner', id)).toMatchObject({ status: 'queued' });
});

it('an added shard gets its share of new tasks, and earlier tasks end where they are', async () => {
  const before = await gatewayOn(2);
  const earlier = await create(before);
  expect(new Set(earlier.map(({ id }) => shardOf(id)))).toEqual(new Set([0, 1]));

  const after = await gatewayOn(3);
  // Repeated requests find their tasks, although some prompts belong to the added shard now.
  const repeated = await create(after);
  expect(repeated.map(({ id }) => id)).toEqual(earlier.map(({ id }) => id));
  const added = await Promise.all(
    Array.from({ length: TASKS }, (_, index) => {
      const request = { kind: 'video' as const, prompt: `new ${index}`, images: [] };
      return after.engine.submit(after.params({ request }));
    }),
  );
  const shards = added.map(({ task }) => shardOf(task.id));
  expect(new Set(shards)).toEqual(new Set([0, 1, 2]));
  expect(shards.filter((shard) => shard === 2).length).toBeLessThan(TASKS / 2 + 3);

  await after.startWorker();
  const ended = await Promise.all([...earlier, ...added.map(({ task }) => task)].map((task) => after.end(task)));
  expect(ended.every(({ status }) => status === 'completed')).toBe(true);
  expect([...after.vendor.submissions.values()]).toEqual(ended.map(() => 1));
});
