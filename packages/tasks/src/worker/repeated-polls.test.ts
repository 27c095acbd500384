import { openRedis, type TaskRig, taskRig } from '@sluice/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { createKeyspace } from '../store/keyspace.ts';
import { PolledTasks } from './steps/step-job.ts';
import { StoreRig } from '../../test/store-rig.ts';

let rig: TaskRig;
afterEach(() => rig.close());

const POLLS = 12;
/** A delay that exceeds the test's time, so that the test fails if the job is not promoted. */
const LATER_MS = 50_000;

/** The vendor completes the job at poll number `POLLS`. `during` runs before the response to one of the polls. */
function startRig(during: (taskId: string) => Promise<unknown>, at = POLLS, retryAfterMs = 10) {
  return taskRig({
    // On a busy machine, neither an expired lock nor the sweeper may wake the task.
    settings: {
      lockMs: 30_000,
      overdueMs: LATER_MS,
      polling: { firstMs: 10, minMs: 10, maxMs: LATER_MS, onReadMs: 5 },
    },
    script: {
      poll: async ({ taskId }, count) => {
        if (count === at) await during(taskId);
        if (count === POLLS) return { kind: 'succeeded', seconds: '4' };
        return { kind: 'running', progress: 10, retryAfterMs: count === at ? retryAfterMs : 10 };
      },
      cancel: () => ({ kind: 'canceled' }),
    },
  });
}

/** Increments the epoch, as another worker's claim does. */
async function claim(id: string): Promise<void> {
  const redis = openRedis(rig.redisUrl);
  await redis.hincrby(createKeyspace(rig.prefix).task(id), 'epoch', 1);
  redis.disconnect();
}

async function hashField(id: string, field: string): Promise<number> {
  const redis = openRedis(rig.redisUrl);
  const value = await redis.hget(createKeyspace(rig.prefix).task(id), field);
  redis.disconnect();
  return Number(value);
}

describe('repeated polls', () => {
  it('need no claim while the vendor is running the job', async () => {
    rig = await startRig(() => Promise.resolve());
    await rig.startWorker();
    const { task } = await rig.engine.submit(rig.params());
    expect((await rig.end(task)).status).toBe('completed');
    expect(rig.vendor.polls.get(task.id)).toBe(POLLS);
    expect(await hashField(task.id, 'polls')).toBe(POLLS);
    // One claim each for the submission, the first poll, and the last one.
    expect(await hashField(task.id, 'epoch')).toBe(3);
  });

  it('continue after another worker has claimed the task in between', async () => {
    rig = await startRig(claim, 5);
    await rig.startWorker();
    const { task } = await rig.engine.submit(rig.params());
    expect((await rig.end(task)).status).toBe('completed');
    expect(rig.vendor.submissions.get(task.id)).toBe(1);
  });

  it('do not lose a cancellation that arrives during the poll', async () => {
    rig = await startRig((id) => rig.engine.cancel('owner', id), 5, LATER_MS);
    await rig.startWorker();
    const { task } = await rig.engine.submit(rig.params());
    expect((await rig.end(task)).status).toBe('canceled');
    expect(rig.vendor.canceled).toEqual([task.id]);
  });
});

describe('PolledTasks', () => {
  it('returns a record once, and only to the next start of the job', async () => {
    rig = await taskRig();
    const tasks = new PolledTasks();
    const store = new StoreRig();
    const record = await store.running(await store.admitted());
    store.close();
    tasks.remember(record, { starts: 4 });
    expect(tasks.take(record.id, { starts: 5 })).toBe(record);
    expect(tasks.take(record.id, { starts: 5 })).toBeUndefined();
    tasks.remember(record, { starts: 4 });
    expect(tasks.take(record.id, { starts: 6 })).toBeUndefined();
  });
});
