import { setTimeout as wait } from 'node:timers/promises';
import { type TaskRig, taskRig } from '@sluice/testkit';
import { afterEach, describe, expect, it } from 'vitest';

let rig: TaskRig;
afterEach(() => rig.close());

describe('closing a worker', () => {
  it('waits only for submissions in flight', async () => {
    const response = Promise.withResolvers<undefined>();
    rig = await taskRig({ script: { submit: () => response.promise } });
    const worker = await rig.startWorker();
    const { task } = await rig.engine.submit(rig.params());
    await expect.poll(() => rig.vendor.submissions.get(task.id)).toBe(1);
    let isClosed = false;
    const closed = worker.close(600_000).then(() => (isClosed = true));
    await wait(500);
    expect(isClosed).toBe(false);
    response.resolve(undefined);
    await closed;
    expect(await rig.engine.find('owner', task.id)).toMatchObject({ status: 'in_progress' });
    await rig.startWorker();
    expect((await rig.end(task)).status).toBe('completed');
    expect(rig.vendor.submissions.get(task.id)).toBe(1);
  });

  it('aborts a submission after the grace period without resubmitting the task', async () => {
    rig = await taskRig();
    const brokenOff: number[] = [];
    const submit: typeof rig.vendor.submit = (_submission, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          brokenOff.push(performance.now());
          resolve({ kind: 'unknown', message: 'stopped' });
        });
      });
    const worker = await rig.startWorker({
      accounts: { vendor: { maxSubmitting: 16, video: { ...rig.vendor, submit } } },
    });
    const { task } = await rig.engine.submit(rig.params());
    await expect.poll(async () => (await rig.engine.find('owner', task.id))?.status).toBe('submitting');
    const startedAt = performance.now();
    await worker.close(400);
    expect(brokenOff).toHaveLength(1);
    expect((brokenOff[0] ?? 0) - startedAt).toBeGreaterThan(390);
    await rig.startWorker();
    expect(await rig.end(task)).toMatchObject({ status: 'failed', error: { code: 'submission_unknown' } });
    expect(rig.vendor.submissions.size).toBe(0);
  });
});
