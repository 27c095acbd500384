import type { MediaSubmission } from '@sluice/canonical';
import { type TaskRig, taskRig } from '@sluice/testkit';
import { afterEach, describe, expect, it } from 'vitest';

let rig: TaskRig;
afterEach(() => rig.close());

describe('an external id', () => {
  it('finds the task for its owner only and stays taken until the task is deleted', async () => {
    rig = await taskRig();
    const { task } = await rig.engine.submit(rig.params({ externalId: 'mine' }));
    expect(task.externalId).toBe('mine');
    expect(await rig.engine.findByExternalId('owner', 'mine')).toMatchObject({ id: task.id, externalId: 'mine' });
    expect(await rig.engine.findByExternalId('other', 'mine')).toBeUndefined();
    await expect(rig.engine.submit(rig.params({ externalId: 'mine' }))).rejects.toMatchObject({
      code: 'invalid_request',
    });
    await rig.engine.submit(rig.params({ ownerId: 'other', externalId: 'mine' }));
    await rig.engine.remove('owner', task.id);
    const again = await rig.engine.submit(rig.params({ externalId: 'mine' }));
    expect((await rig.engine.findByExternalId('owner', 'mine'))?.id).toBe(again.task.id);
  });
});

describe('a lost submission with a reference at the vendor', () => {
  it('is adopted even if another open task has the same request', async () => {
    const lost: string[] = [];
    rig = await taskRig({
      script: {
        submit: ({ reference }) => {
          lost.push(reference);
          return { kind: 'unknown', message: 'reset' };
        },
        find: ({ reference }) => ({
          kind: 'candidates',
          certain: true,
          jobs: [{ upstreamId: `job-of-${reference}`, path: '/v1/where' }],
        }),
      },
    });
    const twin = { request: { kind: 'video' as const, prompt: 'the same', images: [] } };
    const tasks = [await rig.engine.submit(rig.params(twin)), await rig.engine.submit(rig.params(twin))];
    await rig.startWorker();
    for (const { task } of tasks) {
      expect(await rig.end(task)).toMatchObject({
        status: 'completed',
        upstreamId: `job-of-${task.id}-1`,
        upstreamPath: '/v1/where',
      });
    }
    expect(lost.toSorted()).toEqual(tasks.map(({ task }) => `${task.id}-1`).toSorted());
  });

  it('is resubmitted under another reference if the vendor certainly has no job', async () => {
    const references: string[] = [];
    let lost: MediaSubmission['lost'];
    rig = await taskRig({
      script: {
        submit: ({ reference }) => {
          references.push(reference);
          return references.length === 1 ? { kind: 'unknown', message: 'reset' } : undefined;
        },
        find: (params) => {
          lost = params.lost;
          return { kind: 'none' };
        },
      },
    });
    await rig.startWorker();
    const { task } = await rig.engine.submit(rig.params());
    expect((await rig.end(task)).status).toBe('completed');
    expect(references).toEqual([`${task.id}-1`, `${task.id}-2`]);
    expect(lost?.account).toBe(rig.vendor.account);
    expect(lost?.since).toBeGreaterThanOrEqual(task.createdAt);
  });
});
