import { describe, expect, it } from 'vitest';
import { testJob } from '../../../test/media-rig.ts';
import { fileIdOf, v1Task } from './v1-task.ts';

const ok = { status_code: 0, status_msg: 'success' };

describe('v1Task', () => {
  it.each([
    [0, {}, 'Preparing'],
    [0, { startsAt: 1000 }, 'Queueing'],
    [500, {}, 'Processing'],
    [1000, {}, 'Success'],
    [1000, { prompt: '[fail]' }, 'Fail'],
  ] as const)('after %d ms with %j returns %s', (now, more, status) => {
    expect(v1Task(testJob(more), now)).toMatchObject({ task_id: 'job-1', status, base_resp: ok });
  });

  it('returns the file and the size of the video', () => {
    const job = testJob({ width: 1366, height: 768 });
    const output = { file_id: fileIdOf(job), video_width: 1366, video_height: 768 };
    expect(v1Task(job, 1000)).toMatchObject(output);
    expect(v1Task(job, 500)).toMatchObject({ file_id: '' });
    expect(v1Task(testJob({ prompt: '[nothing]' }), 1000)).toMatchObject({ status: 'Success', file_id: '' });
  });

  it('reports moderation by a code', () => {
    const base_resp = { status_code: 1027, status_msg: expect.any(String) };
    expect(v1Task(testJob({ prompt: '[moderated-output]' }), 1000)).toMatchObject({ status: 'Fail', base_resp });
  });
});

it('fileIdOf returns a different safe integer for each job', () => {
  const ids = Array.from({ length: 100 }, (_, index) => fileIdOf(testJob({ id: String(index) })));
  expect(new Set(ids).size).toBe(100);
  expect(ids.every((id) => /^[1-9]\d{14}$/.test(id) && Number.isSafeInteger(Number(id)))).toBe(true);
});
