import { afterEach, describe, expect, it } from 'vitest';
import { type TaskRig, taskRig } from '@sluice/testkit';

let rig: TaskRig;
afterEach(() => rig.close());

describe('a task', () => {
  it('goes from submission to content in the store', async () => {
    rig = await taskRig();
    await rig.startWorker();
    const { task } = await rig.engine.submit(rig.wish());
    const ended = await rig.end(task);
    expect(ended).toMatchObject({ status: 'completed', progress: 100, seconds: '4', size: '320x176' });
    expect(rig.vendor.submissions.get(task.id)).toBe(1);
    const chunks = await (await rig.content.open(ended.content?.key ?? '')).toArray();
    expect(Buffer.concat(chunks).toString('latin1', 4, 8)).toBe('ftyp');
  });
});
