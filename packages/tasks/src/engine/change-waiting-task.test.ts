import { type TaskRig, taskRig } from '@sluice/testkit';
import { afterEach, describe, expect, it } from 'vitest';

let rig: TaskRig;
afterEach(() => rig.close());

const idle = { settings: { sweepMs: 20, overdueMs: 40 } };

async function submitted(count: number, options: Parameters<TaskRig['params']>[0] = {}) {
  const admitted = await Promise.all(Array.from({ length: count }, () => rig.engine.submit(rig.params(options))));
  return admitted.map(({ task }) => task);
}

/** Waits until the workers have run another owner's task and several sweeps, so that they had time for all others. */
async function othersServed(): Promise<void> {
  const [task] = await submitted(1, { ownerId: 'other' });
  if (task) expect((await rig.end(task)).status).toBe('completed');
  await new Promise((resolve) => setTimeout(resolve, 10 * idle.settings.sweepMs));
}

async function* imageBytes() {
  yield Buffer.from('image');
}

const submissions = () => [...rig.vendor.submissions.values()].reduce((sum, count) => sum + count, 0);

describe('the pause of an owner', () => {
  it('holds waiting and later tasks through the end of a worker, and each is submitted once after it', async () => {
    rig = await taskRig(idle);
    await rig.engine.pauseOwner('owner', true);
    const first = await submitted(3);
    const worker = await rig.startWorker();
    await othersServed();
    await worker.close(0);
    await rig.startWorker();
    const tasks = [...first, ...(await submitted(2))];
    await othersServed();
    expect(submissions()).toBe(2);
    expect(await rig.engine.isOwnerPaused('owner')).toBe(true);

    await rig.engine.pauseOwner('owner', false);
    const ended = await Promise.all(tasks.map((task) => rig.end(task)));
    expect(ended.map(({ status }) => status)).toEqual(tasks.map(() => 'completed'));
    expect([...rig.vendor.submissions.values()]).toEqual(Array.from({ length: 7 }, () => 1));
    expect(await rig.engine.isOwnerPaused('owner')).toBe(false);
  });
});

describe('a paused task', () => {
  it('waits, while other tasks of its owner run, until it is resumed', async () => {
    rig = await taskRig(idle);
    await rig.engine.pauseOwner('owner', true);
    const [paused, other] = await submitted(2);
    if (!paused || !other) throw new Error('no tasks');
    expect(await rig.engine.change('owner', paused.id, { paused: true, priority: 5 })).toMatchObject({
      paused: true,
      priority: 5,
    });
    await rig.engine.pauseOwner('owner', false);
    const worker = await rig.startWorker();
    expect((await rig.end(other)).status).toBe('completed');
    await worker.close(0);
    await rig.startWorker();
    await othersServed();
    expect(await rig.engine.find('owner', paused.id)).toMatchObject({ status: 'queued', paused: true, attempt: 0 });

    await rig.engine.change('owner', paused.id, { paused: false });
    expect(await rig.end(paused)).toMatchObject({ status: 'completed', attempt: 1, paused: undefined });
  });

  it('enters the queue after its inputs are stored only if it has been resumed', async () => {
    rig = await taskRig(idle);
    const image = { role: 'reference', source: { kind: 'url', url: 'http://client.test/a.png' } } as const;
    const [task] = await submitted(1, { request: { kind: 'video', prompt: 'a', images: [image] } });
    if (!task) throw new Error('no task');
    await rig.engine.change('owner', task.id, { paused: true });
    await rig.startWorker({ fetchInput: () => Promise.resolve({ body: imageBytes(), mediaType: 'image/png' }) });
    await expect
      .poll(async () => (await rig.engine.operator.show(task.id)).timeline)
      .toContainEqual(expect.objectContaining({ what: 'inputs', outcome: 'fetched' }));
    await othersServed();
    expect(await rig.engine.find('owner', task.id)).toMatchObject({ status: 'queued', attempt: 0 });
    await rig.engine.change('owner', task.id, { paused: false });
    expect((await rig.end(task)).status).toBe('completed');
  });

  it('fails at its deadline, and can be canceled', async () => {
    rig = await taskRig({ settings: { ...idle.settings, queueDeadlineMs: 2_000 } });
    await rig.engine.pauseOwner('owner', true);
    const [late, canceled] = await submitted(2);
    if (!late || !canceled) throw new Error('no tasks');
    for (const { id } of [late, canceled]) await rig.engine.change('owner', id, { paused: true });
    expect((await rig.engine.cancel('owner', canceled.id)).status).toBe('canceled');
    await rig.startWorker();
    expect(await rig.end(late)).toMatchObject({ status: 'failed', error: { code: 'deadline_exceeded' }, attempt: 0 });
    expect(submissions()).toBe(0);
  });
});

describe('a change of a task', () => {
  it('is refused for another owner, and after the task has left the queue', async () => {
    rig = await taskRig();
    const [task] = await submitted(1);
    if (!task) throw new Error('no task');
    const change = (owner: string) => rig.engine.change(owner, task.id, { priority: 1 });
    await expect(change('other')).rejects.toMatchObject({ code: 'not_found' });
    await expect(change('owner')).rejects.toMatchObject({ code: 'task_conflict', status: 409 });
    await rig.startWorker();
    await rig.end(task);
    await expect(change('owner')).rejects.toMatchObject({ code: 'task_conflict' });
    expect((await rig.engine.find('owner', task.id))?.priority).toBeUndefined();
  });
});
