import { describe, expect, it } from 'vitest';
import { testJob } from '../../../test/media-rig.ts';
import type { MediaJob } from '../../jobs/media-job.ts';
import { v2Task } from './v2-task.ts';

const requestFields = { resolution: '768P', duration: 5, ratio: '16:9' };

function toTask(now: number, more: Partial<MediaJob> = {}): Record<string, unknown> {
  return v2Task(testJob({ requestFields, seconds: 5, ...more }), now, () => 'video');
}

describe('v2Task', () => {
  it.each([
    [0, {}, 'queued'],
    [500, {}, 'running'],
    [1000, {}, 'succeeded'],
    [1000, { prompt: '[fail]' }, 'failed'],
    [1000, { canceledAt: 50 }, 'cancelled'],
  ] as const)('after %d ms with %j returns %s', (now, more, status) => {
    expect(toTask(now, more)).toMatchObject({
      id: 'job-1',
      model: 'm',
      task_type: 'generation',
      status,
      ...requestFields,
    });
  });

  it('returns the video and its usage', () => {
    const usage = { total_seconds: 5, input_seconds: 0, output_seconds: 5 };
    expect(toTask(1000)).toMatchObject({ content: { url: 'video' }, usage, created_at: 0, updated_at: 1 });
    expect(toTask(500)).not.toHaveProperty('content');
    expect(toTask(1000, { prompt: '[nothing]' }).content).toEqual({});
  });

  it('returns the cause of a failure', () => {
    expect(toTask(1000, { prompt: '[fail]' }).error).toMatchObject({ code: '1000' });
    expect(toTask(1000, { prompt: '[moderated-output]' }).error).toMatchObject({ code: '1027' });
    expect(toTask(1000, { canceledAt: 0 })).not.toHaveProperty('error');
  });
});
