import { describe, expect, it } from 'vitest';
import { testJob } from '../../../test/media-rig.ts';
import type { MediaJob } from '../../jobs/media-job.ts';
import { arkStatus, arkTask } from './ark-task.ts';

const returned = {
  resolution: '720p',
  ratio: '16:9',
  duration: 1,
  service_tier: 'default',
  execution_expires_after: 3600,
};

function arkJob(more: Partial<MediaJob> = {}): MediaJob {
  return testJob({ wire: 'ark', requestFields: { name: 'm', return_last_frame: false, returned }, ...more });
}

function toTask(job: MediaJob, now: number): Record<string, unknown> {
  return arkTask(job, now, (withFrame) => (withFrame ? ['video', 'frame'] : ['video']));
}

describe('arkStatus', () => {
  it.each([
    ['queued', 0, {}],
    ['running', 500, {}],
    ['succeeded', 1000, {}],
    ['failed', 1000, { prompt: '[fail]' }],
    ['cancelled', 1000, { canceledAt: 50 }],
    ['running', 3_599_999, { prompt: '[stall]' }],
    ['expired', 3_600_000, { prompt: '[stall]' }],
    ['succeeded', 3_600_000, {}],
  ] as const)('is %s after %d ms with %j', (status, now, more) => {
    expect(arkStatus(arkJob(more), now)).toBe(status);
  });
});

describe('arkTask', () => {
  it('returns the request’s fields', () => {
    expect(toTask(arkJob({ seed: 7 }), 0)).toEqual({
      id: 'job-1',
      model: 'm',
      status: 'queued',
      created_at: 0,
      updated_at: 0,
      seed: 7,
      ...returned,
    });
  });

  it('returns the video, its last frame if requested, and its tokens', () => {
    const size = { width: 1280, height: 720, seconds: 5 };
    expect(toTask(arkJob(size), 2000)).toMatchObject({
      content: { video_url: 'video' },
      usage: { completion_tokens: 108_000, total_tokens: 108_000 },
      updated_at: 1,
    });
    const withFrame = arkJob({ requestFields: { name: 'm', return_last_frame: true, returned } });
    expect(toTask(withFrame, 1000).content).toEqual({ video_url: 'video', last_frame_url: 'frame' });
  });

  it('returns the cause of a failure', () => {
    expect(toTask(arkJob({ prompt: '[fail]' }), 1000).error).toMatchObject({ code: 'InternalServiceError' });
    const code = 'OutputVideoSensitiveContentDetected';
    expect(toTask(arkJob({ prompt: '[moderated-output]' }), 1000).error).toMatchObject({ code });
    expect(toTask(arkJob({ canceledAt: 0 }), 1000)).not.toHaveProperty('error');
  });

  it('succeeds without a video with [nothing]', () => {
    expect(toTask(arkJob({ prompt: '[nothing]' }), 1000)).toMatchObject({ status: 'succeeded', content: {} });
  });

  it('returns a constant seed if none was requested', () => {
    expect(toTask(arkJob(), 0).seed).toBe(toTask(arkJob(), 900).seed);
    expect(toTask(arkJob(), 0).seed).toEqual(expect.any(Number));
  });
});
