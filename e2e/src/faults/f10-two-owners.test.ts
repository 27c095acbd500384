import type { PollOutcome } from '@sluice/canonical';
import { openRedis, type TaskRig, taskRig, TINY_MP4 } from '@sluice/testkit';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let rig: TaskRig;
let redis: Redis;
beforeEach(() => {
  redis = openRedis(process.env['SLUICE_TEST_REDIS'] ?? '');
});
afterEach(async () => {
  redis.disconnect();
  await rig.close();
});

/**
 * Deletes the job's lock, as a stall would, so that a second worker claims the first worker's job. The first worker
 * renews its lock, so the lock is deleted repeatedly until `isClaimed` returns true.
 */
async function forceStall(id: string, isClaimed: () => boolean): Promise<void> {
  const lock = `{${rig.prefix}}:tasks_vendor:${id}:lock`;
  await expect
    .poll(
      async () => {
        if (!isClaimed()) await redis.del(lock);
        return isClaimed();
      },
      { timeout: 30_000, interval: 20 },
    )
    .toBe(true);
}

describe('two workers with the same job', () => {
  it('the poll result of the stale worker is fenced', async () => {
    const stale = Promise.withResolvers<PollOutcome>();
    let polls = 0;
    rig = await taskRig({
      script: {
        poll: () => {
          polls += 1;
          if (polls === 1) return stale.promise;
          return polls < 4 ? { kind: 'running', progress: 40 } : { kind: 'succeeded', seconds: '4' };
        },
      },
    });
    await rig.startWorker();
    await rig.startWorker();
    const { task } = await rig.engine.submit(rig.params());
    await expect.poll(() => polls).toBe(1);
    await forceStall(task.id, () => polls > 1);
    stale.resolve({ kind: 'failed', code: 'provider_error', message: 'stale' });
    expect(await rig.end(task)).toMatchObject({ status: 'completed' });
    expect((await rig.engine.stats()).fencedWrites).toBeGreaterThan(0);
    expect(rig.vendor.submissions.get(task.id)).toBe(1);
  });

  it('the download of the stale worker does not change the other one’s file', async () => {
    const stale = Promise.withResolvers<void>();
    let downloads = 0;
    rig = await taskRig({
      script: {
        content: () => {
          downloads += 1;
          const resume = downloads === 1 ? stale.promise : Promise.resolve();
          return { kind: 'opened', body: contentAfter(resume), bytes: TINY_MP4.byteLength };
        },
      },
    });
    await rig.startWorker();
    await rig.startWorker();
    const { task } = await rig.engine.submit(rig.params());
    await expect.poll(() => downloads).toBe(1);
    await forceStall(task.id, () => downloads > 1);
    const ended = await rig.end(task);
    stale.resolve();
    await expect.poll(async () => (await rig.engine.stats()).fencedWrites).toBeGreaterThan(0);
    expect(await rig.engine.find('owner', task.id)).toMatchObject({ status: 'completed', outputs: ended.outputs });
    const file = await rig.content.open(ended.outputs[0]?.content?.key ?? '');
    expect(Buffer.concat(await file.toArray()).equals(TINY_MP4)).toBe(true);
  });

  it('only the worker that recorded the intent submits', async () => {
    const accepted = Promise.withResolvers<undefined>();
    rig = await taskRig({
      settings: { submitUnknownMs: 20_000 },
      script: { submit: () => accepted.promise },
    });
    await rig.startWorker();
    await rig.startWorker();
    const { task } = await rig.engine.submit(rig.params());
    await expect.poll(() => rig.vendor.submissions.get(task.id)).toBe(1);
    const epoch = async () => Number(await redis.hget(`{${rig.prefix}}:task:${task.id}`, 'epoch'));
    const first = await epoch();
    let now = first;
    const watching = setInterval(() => void epoch().then((value) => (now = value)), 20);
    await forceStall(task.id, () => now > first);
    clearInterval(watching);
    accepted.resolve(undefined);
    // Both workers run the same attempt, so the vendor's late response is valid no matter which worker receives it.
    expect(await rig.end(task)).toMatchObject({ status: 'completed', attempt: 1 });
    expect(rig.vendor.submissions.get(task.id)).toBe(1);
  });
});

async function* contentAfter(resume: Promise<void>): AsyncGenerator<Uint8Array> {
  yield TINY_MP4.subarray(0, 12);
  await resume;
  yield TINY_MP4.subarray(12);
}
