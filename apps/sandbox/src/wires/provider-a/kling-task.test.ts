import { describe, expect, it } from 'vitest';
import { testJob } from '../../../test/media-rig.ts';
import type { MediaJob } from '../../jobs/media-job.ts';
import { klingTask, submittedTask } from './kling-task.ts';

const START = 1_767_323_045_000;

function task(now: number, more: Partial<MediaJob> = {}) {
  const job = testJob({ id: '7712', createdAt: START, seconds: 5, ...more });
  return klingTask(job, START + now, (outputs) => outputs.map((index) => `https://cdn/${index}`));
}

function mustNotBeCalled(): never {
  throw new Error('must not be called');
}

describe('klingTask', () => {
  it('goes from submitted to processing to succeed', () => {
    const times = { created_at: START, updated_at: START };
    const own = { task_id: '7712', task_status_msg: '', task_info: {}, ...times };
    expect(task(0)).toEqual({ ...own, task_status: 'submitted' });
    expect(task(500)).toEqual({ ...own, task_status: 'processing' });
    expect(task(1000)).toEqual({
      ...own,
      task_status: 'succeed',
      task_result: { videos: [{ id: expect.stringMatching(/^\w{32}$/), url: 'https://cdn/0', duration: '5.0' }] },
      final_unit_deduction: '1',
      updated_at: START + 1000,
    });
  });

  it('returns the cause of a failure', () => {
    expect(task(1000, { prompt: '[fail]' })).toMatchObject({
      task_status: 'failed',
      task_status_msg: expect.stringContaining('Internal'),
    });
    expect(task(1000, { prompt: '[moderated-output]' })).toMatchObject({
      task_status_msg: expect.stringContaining('risk control'),
    });
    expect(task(1000, { prompt: '[fail]' })).not.toHaveProperty('task_result');
  });

  it('returns the finished images by index', () => {
    expect(task(1000, { kind: 'image', count: 3, prompt: '[partial]' }).task_result).toEqual({
      images: [
        { index: 0, url: 'https://cdn/0' },
        { index: 1, url: 'https://cdn/1' },
      ],
    });
  });

  it('requests no URLs if there are none to return', () => {
    const job = testJob({ prompt: '[nothing]' });
    expect(klingTask(job, 1000, mustNotBeCalled).task_result).toEqual({ videos: [] });
    expect(klingTask(job, 500, mustNotBeCalled)).not.toHaveProperty('task_result');
  });
});

it('submittedTask returns the client’s own id', () => {
  expect(submittedTask(testJob({ reference: 'my-1' }))).toMatchObject({ task_info: { external_task_id: 'my-1' } });
});
