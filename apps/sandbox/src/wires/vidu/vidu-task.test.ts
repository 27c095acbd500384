import { describe, expect, it } from 'vitest';
import { testJob } from '../../../test/media-rig.ts';
import type { MediaJob } from '../../jobs/media-job.ts';
import { createdTask, listedTask, viduTask } from './vidu-task.ts';

const requestFields = { images: [], duration: 5, resolution: '720p', off_peak: false, watermark: false, bgm: true };

function viduJob(more: Partial<MediaJob> = {}): MediaJob {
  return testJob({ seconds: 5, reference: 'mine', requestFields, ...more });
}

function outputUrls(withWatermark: boolean): string[] {
  return withWatermark ? ['video', 'cover', 'marked'] : ['video', 'cover'];
}

function toTask(job: MediaJob, now: number): Record<string, unknown> {
  return viduTask(job, now, outputUrls);
}

describe('viduTask', () => {
  it.each([
    [0, {}, 'queueing', ''],
    [500, {}, 'processing', ''],
    [1000, {}, 'success', ''],
    [1000, { prompt: '[fail]' }, 'failed', 'InternalServiceFailure'],
    [1000, { prompt: '[moderated-output]' }, 'failed', 'CreationPolicyViolation'],
    [1000, { canceledAt: 50 }, 'failed', 'UserCancelled'],
  ] as const)('after %d ms with %j returns %s, %s', (now, more, state, err_code) => {
    const expected = { id: 'job-1', state, err_code, payload: 'mine', bgm: true, off_peak: false, credits: 20 };
    expect(toTask(viduJob(more), now)).toMatchObject(expected);
  });

  it('returns the video and its cover, and the watermarked video if requested', () => {
    const video = { duration: 5, fps: 24, resolution: { width: 32, height: 32 } };
    const creation = { id: expect.any(String), url: 'video', cover_url: 'cover', watermarked_url: '', video };
    expect(toTask(viduJob(), 1000).creations).toEqual([creation]);
    const watermarked = viduJob({ requestFields: { ...requestFields, watermark: true } });
    expect(toTask(watermarked, 1000).creations).toEqual([{ ...creation, watermarked_url: 'marked' }]);
    expect(toTask(viduJob(), 500).creations).toEqual([]);
    expect(toTask(viduJob({ prompt: '[nothing]' }), 1000).creations).toEqual([]);
  });
});

it('createdTask returns the request’s fields', () => {
  expect(createdTask(viduJob({ seed: 7 }))).toEqual({
    task_id: 'job-1',
    state: 'created',
    model: 'm',
    prompt: 'kite',
    seed: 7,
    payload: 'mine',
    credits: 20,
    created_at: '1970-01-01T00:00:00.000Z',
    ...requestFields,
  });
});

it('listedTask returns both', () => {
  const task = listedTask(viduJob(), 1000, outputUrls);
  expect(task).toMatchObject({ id: 'job-1', state: 'success', prompt: 'kite', payload: 'mine', resolution: '720p' });
  expect(task).not.toHaveProperty('task_id');
  expect(task.creations).toHaveLength(1);
});
