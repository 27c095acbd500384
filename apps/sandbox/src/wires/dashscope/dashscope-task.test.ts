import { describe, expect, it } from 'vitest';
import { testJob } from '../../../test/media-rig.ts';
import type { MediaJob } from '../../jobs/media-job.ts';
import { dashscopeTask } from './dashscope-task.ts';

const START = Date.UTC(2026, 0, 2);

function toTask(now: number, more: Partial<MediaJob> = {}) {
  const job = testJob({ id: 't', createdAt: START, requestFields: { SR: 720, ratio: '16:9' }, ...more });
  return dashscopeTask(job, START + now, (outputs) => outputs.map((index) => `u${index}`));
}

describe('dashscopeTask', () => {
  it.each([
    [0, {}, 'PENDING'],
    [500, {}, 'RUNNING'],
    [1000, {}, 'SUCCEEDED'],
    [1000, { prompt: '[fail]' }, 'FAILED'],
    [1000, { canceledAt: START + 50 }, 'CANCELED'],
  ] as const)('returns after %d ms, with %j, %s', (now, more, status) => {
    expect(toTask(now, more).output).toMatchObject({ task_id: 't', task_status: status });
  });

  it('returns times once they are known', () => {
    expect(toTask(0).output).toEqual({
      task_id: 't',
      task_status: 'PENDING',
      submit_time: '2026-01-02 08:00:00.000',
    });
    expect(toTask(500).output).toMatchObject({ scheduled_time: '2026-01-02 08:00:00.000' });
    expect(toTask(500).output).not.toHaveProperty('end_time');
    expect(toTask(1000).output).toMatchObject({ end_time: '2026-01-02 08:00:01.000' });
  });

  it('returns a video with its usage', () => {
    const { output, usage } = toTask(1000, { seconds: 5, width: 1280, height: 720 });
    expect(output).toMatchObject({ video_url: 'u0', orig_prompt: 'kite' });
    expect(usage).toMatchObject({ duration: 5, video_count: 1, SR: 720, size: '1280*720', ratio: '16:9' });
  });

  it('returns the cause of a failure', () => {
    expect(toTask(1000, { prompt: '[fail]' }).output).toMatchObject({ code: 'InternalError.Algo' });
    expect(toTask(1000, { prompt: '[moderated-output]' }).output).toMatchObject({ code: 'DataInspectionFailed' });
    expect(toTask(1000, { canceledAt: START }).output).not.toHaveProperty('code');
  });

  it('reports failed images one by one', () => {
    const images = { kind: 'image', count: 3 } as const;
    expect(toTask(1000, { ...images, prompt: '[partial]' }).output).toMatchObject({
      results: [{ url: 'u0' }, { url: 'u1' }, { code: 'InternalError.Algo', message: expect.any(String) }],
      task_metrics: { TOTAL: 3, SUCCEEDED: 2, FAILED: 1 },
    });
    expect(toTask(1000, images).output.results).toHaveLength(3);
  });

  it('returns no output with [nothing]', () => {
    expect(toTask(1000, { prompt: '[nothing]' }).output).not.toHaveProperty('video_url');
    expect(toTask(1000, { prompt: '[nothing]', kind: 'image', count: 2 }).output.results).toEqual([]);
  });
});
