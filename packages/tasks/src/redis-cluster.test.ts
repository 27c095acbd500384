import { type RedisCluster, startRedisCluster, type TaskRig, taskRig } from '@sluice/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shardOf } from './shards/shard-of.ts';

const TASKS = 24;
const PATIENT = { timeout: 60_000 };

let cluster: RedisCluster;
let rig: TaskRig;
let tags: string[];

beforeEach(async () => {
  cluster = await startRedisCluster();
  tags = await tagsOnEachPrimary();
  const [home = '', ...shards] = tags.map((tag) => ({ cluster: { addresses: cluster.addresses, tag } }));
  if (home === '') throw new Error('there is no home');
  rig = await taskRig({ redis: { ...home, shards }, prefix: tags[0] ?? '' });
});
afterEach(async () => {
  await rig.close();
  await cluster.stop();
});

/** Finds a hash tag for each primary, as an operator does. */
async function tagsOnEachPrimary(): Promise<string[]> {
  const found = new Map<number, string>();
  for (let index = 0; found.size < cluster.primaries.length; index += 1) {
    const { port } = await cluster.ownerOf(`sluice-${index}`);
    if (!found.has(port)) found.set(port, `sluice-${index}`);
  }
  return [...found.values()];
}

async function create() {
  const admitted = await Promise.all(Array.from({ length: TASKS }, () => rig.engine.submit(rig.params())));
  return admitted.map(({ task }) => task);
}

async function keysOn(index: number): Promise<string[]> {
  const redis = (await cluster.ownerOf(tags[index] ?? '')).connect();
  const keys = await redis.keys('*');
  redis.disconnect();
  return keys;
}

describe('shards in a Redis Cluster of three primaries', () => {
  it('run tasks on all primaries, each with one hash tag', async () => {
    await rig.startWorker();
    const tasks = await create();
    expect(new Set(tasks.map(({ id }) => shardOf(id)))).toEqual(new Set([0, 1, 2]));
    const ended = await Promise.all(tasks.map((task) => rig.end(task)));
    expect(new Set(ended.map(({ status }) => status))).toEqual(new Set(['completed']));
    expect([...rig.vendor.submissions.values()]).toEqual(tasks.map(() => 1));
    for (const [index, tag] of tags.entries()) {
      const keys = await keysOn(index);
      expect(keys.length).toBeGreaterThan(0);
      expect(keys.filter((key) => !key.startsWith(`{${tag}}:`))).toEqual([]);
    }
  });

  it('follow a slot that moves to another primary', async () => {
    const before = await create();
    const [, tag = ''] = tags;
    const owner = await cluster.ownerOf(tag);
    await cluster.moveSlot(tag, cluster.primaries.find(({ port }) => port !== owner.port) ?? owner);
    expect((await cluster.ownerOf(tag)).port).not.toBe(owner.port);
    await rig.startWorker();
    const ended = await Promise.all(before.map((task) => rig.end(task)));
    expect(new Set(ended.map(({ status }) => status))).toEqual(new Set(['completed']));
    expect([...rig.vendor.submissions.values()]).toEqual(before.map(() => 1));
  });

  it('continue with the replica of a primary that dies', { timeout: 180_000 }, async () => {
    const [, tag = ''] = tags;
    const owner = await cluster.ownerOf(tag);
    await cluster.addReplica(owner);
    const before = await create();
    const redis = owner.connect();
    await redis.set(`{${tag}}:last`, '');
    expect(await redis.wait(1, 10_000)).toBe(1); // The replica has all earlier writes.
    redis.disconnect();
    await owner.kill();
    await rig.startWorker();
    const others = before.filter(({ id }) => shardOf(id) !== 1);
    expect(others.length).toBeLessThan(before.length);
    await Promise.all(others.map((task) => rig.end(task)));
    const own = before.filter(({ id }) => shardOf(id) === 1);
    for (const { id } of own) {
      const status = async () => (await rig.engine.find('owner', id).catch(() => undefined))?.status;
      await expect.poll(status, PATIENT).toBe('completed');
    }
    expect([...rig.vendor.submissions.values()]).toEqual(before.map(() => 1));
  });
});
