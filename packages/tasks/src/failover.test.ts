import { type SentinelGroup, startSentinelGroup, type TaskRig, taskRig } from '@sluice/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const TASKS = 10;
const PATIENT = { timeout: 60_000 };

let group: SentinelGroup;
let rig: TaskRig;

beforeEach(async () => {
  group = await startSentinelGroup();
});
afterEach(async () => {
  await rig.close();
  await group.stop();
});

function open(replicas: number): Promise<TaskRig> {
  const addresses = group.sentinels.map((address) => {
    const [host = '', port] = address.split(':');
    return { host, port: Number(port) };
  });
  return taskRig({ redis: { sentinel: { addresses, name: group.name, tls: false }, replicas } });
}

/** Lets the primary run alone, so that its writes reach no replica. Sentinels correct this only after some time. */
async function detachReplica(): Promise<void> {
  const replica = group.replica.connect();
  await replica.call('REPLICAOF', '127.0.0.1', '1');
  replica.disconnect();
}

/** Creates tasks, and returns the ids of those that were accepted. */
async function create(): Promise<string[]> {
  const results = await Promise.allSettled(Array.from({ length: TASKS }, () => rig.engine.submit(rig.params())));
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.task.id] : []));
}

async function failOver(): Promise<void> {
  await group.primary.kill();
  await group.failedOver(group.primary.port);
  await expect.poll(() => rig.engine.ready(), PATIENT).toBe(true);
}

async function lost(ids: readonly string[]): Promise<string[]> {
  const found = await Promise.all(ids.map((id) => rig.engine.find('owner', id)));
  return ids.filter((_, index) => found[index] === undefined);
}

describe('a failover whose replica lacks the last writes', () => {
  it('loses no accepted task if the replica must have it', async () => {
    rig = await open(1);
    const before = await create();
    await detachReplica();
    const during = await create();
    await failOver();
    expect(before).toHaveLength(TASKS);
    expect(during).toEqual([]);
    expect(await lost(before)).toEqual([]);
  }, 120_000);

  it('loses accepted tasks if no replica must have them', async () => {
    rig = await open(0);
    await detachReplica();
    const during = await create();
    await failOver();
    expect(during).toHaveLength(TASKS);
    expect(await lost(during)).toEqual(during);
  }, 120_000);
});

describe('a submission that no replica confirms', () => {
  it('does not begin before a replica is back', async () => {
    rig = await open(1);
    const [id = ''] = await create();
    await detachReplica();
    const worker = await rig.startWorker();
    // The worker tries to record the start, but a failover would undo it.
    await expect.poll(() => worker.find(id).then((task) => task?.attempt), PATIENT).toBeGreaterThan(0);
    expect(rig.vendor.submissions.size).toBe(0);
    const replica = group.replica.connect();
    await replica.call('REPLICAOF', '127.0.0.1', String(group.primary.port));
    replica.disconnect();
    await expect.poll(() => rig.vendor.submissions.size, PATIENT).toBe(TASKS);
    expect([...rig.vendor.submissions.values()].every((count) => count === 1)).toBe(true);
  }, 120_000);
});
