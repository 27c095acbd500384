import {
  findValkey,
  type RedisProgram,
  startRedisProgram,
  startSentinelGroup,
  type TaskRig,
  taskRig,
} from '@sluice/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const TASKS = 20;
const valkey = await findValkey();
const command = 'failure' in valkey ? [] : valkey.command;
const name = 'failure' in valkey ? `Valkey (${valkey.failure})` : `Valkey ${valkey.version}`;

describe.skipIf('failure' in valkey)(name, () => {
  let server: RedisProgram;
  let rig: TaskRig;
  beforeAll(async () => {
    server = await startRedisProgram({ command, args: ['--save', ''] });
    rig = await taskRig({ redisUrl: `redis://127.0.0.1:${server.port}`, caps: { maxSubmitting: 4, maxInFlight: 8 } });
    await rig.startWorker();
  });
  afterAll(async () => {
    await rig.close();
    await server.stop();
  });

  it('runs tasks to their end, each submitted once', async () => {
    const admitted = await Promise.all(Array.from({ length: TASKS }, () => rig.engine.submit(rig.params())));
    const ended = await Promise.all(admitted.map(({ task }) => rig.end(task)));
    expect(new Set(ended.map(({ status }) => status))).toEqual(new Set(['completed']));
    expect([...rig.vendor.submissions.values()]).toEqual(Array.from({ length: TASKS }, () => 1));
    expect(rig.vendor.running.max).toBeLessThanOrEqual(8);
  });

  it('cancels, lists, and removes tasks', async () => {
    rig.vendor.script.poll = () => ({ kind: 'running', progress: 10 });
    const { task } = await rig.engine.submit(rig.params({ ownerId: 'other' }));
    await expect.poll(async () => (await rig.engine.find('other', task.id))?.status).toBe('in_progress');
    await rig.engine.cancel('other', task.id);
    expect((await rig.end(task)).status).toBe('canceled');
    await rig.engine.remove('other', task.id);
    expect(await rig.engine.find('other', task.id)).toBeUndefined();
    delete rig.vendor.script.poll;
  });

  it('returns the same task for a repeated request', async () => {
    const params = rig.params({ idempotencyKey: 'once' });
    const [first, second] = [await rig.engine.submit(params), await rig.engine.submit(params)];
    expect(second).toMatchObject({ replayed: true, task: { id: first.task.id } });
  });
});

describe.skipIf('failure' in valkey)(`${name} with Sentinel`, () => {
  it('keeps accepted tasks in a failover', async () => {
    const group = await startSentinelGroup({ command });
    const addresses = group.sentinels.map((address) => ({ host: '127.0.0.1', port: Number(address.split(':')[1]) }));
    const rig = await taskRig({ redis: { sentinel: { addresses, name: group.name, tls: false }, replicas: 1 } });
    const { task } = await rig.engine.submit(rig.params());
    await group.primary.kill();
    await group.failedOver(group.primary.port);
    await expect.poll(() => rig.engine.ready(), { timeout: 60_000 }).toBe(true);
    expect(await rig.engine.find('owner', task.id)).toMatchObject({ status: 'queued' });
    await rig.close();
    await group.stop();
  }, 120_000);
});
