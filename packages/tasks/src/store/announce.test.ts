import { openRedis, type TaskRig, taskRig } from '@sluice/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKeyspace } from './keyspace.ts';

let rig: TaskRig;
let redis: ReturnType<typeof openRedis>;
let prefix: string;
beforeEach(async () => {
  rig = await taskRig();
  redis = openRedis(rig.redisUrl);
  ({ prefix } = createKeyspace(rig.prefix));
});
afterEach(async () => {
  redis.disconnect();
  await rig.close();
});

async function outbox(): Promise<unknown[]> {
  return (await redis.lrange(`${prefix}webhooks:outbox`, 0, -1)).map((text) => JSON.parse(text) as unknown);
}

describe('the end of a task', () => {
  const callback = { url: 'https://client.test/done', shape: 'provider-a' } as const;

  it('is announced once, in the same step that makes it final', async () => {
    await rig.startWorker();
    const { task } = await rig.engine.submit(rig.params({ callback, origin: 'https://gateway.test' }));
    expect(task).toMatchObject({ callback, origin: 'https://gateway.test' });
    const ended = await rig.end(task);
    expect(ended).toMatchObject({ callback, origin: 'https://gateway.test' });
    expect(await outbox()).toEqual([
      {
        task: task.id,
        owner: 'owner',
        kind: 'video',
        status: 'completed',
        at: ended.completedAt,
        callback: callback.url,
        shape: 'provider-a',
      },
    ]);
  });

  it('is announced only for owners with webhooks', async () => {
    await redis.sadd(`${prefix}webhooks:of:owner`, 'whe_1');
    const { task } = await rig.engine.submit(rig.params());
    const { task: theirs } = await rig.engine.submit(rig.params({ ownerId: 'other' }));
    const [canceled] = [await rig.engine.cancel('owner', task.id), await rig.engine.cancel('other', theirs.id)];
    expect(await outbox()).toEqual([
      { task: task.id, owner: 'owner', kind: 'video', status: 'canceled', at: canceled.completedAt },
    ]);
  });

  it('is not announced if the owner deletes the task while it is queued', async () => {
    const { task } = await rig.engine.submit(rig.params({ callback }));
    await rig.engine.remove('owner', task.id);
    expect(await outbox()).toEqual([]);
    expect(await rig.engine.find('owner', task.id)).toBeUndefined();
  });

  it('is not announced after the owner has deleted the task', async () => {
    const { task } = await rig.engine.submit(rig.params({ callback }));
    await redis.hset(`${prefix}task:${task.id}`, 'deleted', '1');
    await rig.startWorker();
    // The sweeper may remove the task as soon as it ends.
    await expect
      .poll(async () => redis.hget(`${prefix}task:${task.id}`, 'status'))
      .toSatisfy((status) => status === 'completed' || status === null);
    expect(await outbox()).toEqual([]);
  });
});

it('finds a task without its prompt, and no deleted task', async () => {
  const worker = await rig.startWorker();
  const { task } = await rig.engine.submit(rig.params());
  await rig.end(task);
  const found = await worker.find(task.id);
  expect(found).toMatchObject({ id: task.id, status: 'completed' });
  expect(found?.prompt).toBeUndefined();
  await rig.engine.remove('owner', task.id);
  expect(await worker.find(task.id)).toBeUndefined();
  expect(await worker.find('video_none')).toBeUndefined();
});
