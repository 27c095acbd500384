import { describe, expect, it } from 'vitest';
import { jobState, type VideoJob } from './video-job.ts';

function job(prompt: string, renderMs = 1000): VideoJob {
  return {
    id: 'video_1',
    task: 't',
    model: 'm',
    prompt,
    seconds: '4',
    width: 320,
    height: 176,
    createdAt: 5000,
    renderMs,
    inputs: [],
  };
}

describe('jobState', () => {
  it('waits, renders, completes, as time goes by', () => {
    expect(jobState(job('kite'), 5000)).toEqual({ status: 'queued', progress: 0 });
    expect(jobState(job('kite'), 5500)).toEqual({ status: 'in_progress', progress: 50 });
    expect(jobState(job('kite'), 5999)).toEqual({ status: 'in_progress', progress: 99 });
    expect(jobState(job('kite'), 6000)).toMatchObject({ status: 'completed', progress: 100, completedAt: 6000 });
  });

  it('never lets progress fall, and keeps it whole', () => {
    const seen = Array.from({ length: 120 }, (_, step) => jobState(job('kite'), 4900 + step * 10).progress);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(seen.every(Number.isInteger)).toBe(true);
  });

  it('is a function of job and time alone', () => {
    expect(jobState(job('kite'), 99_000)).toEqual(jobState(job('kite'), 99_000));
    expect(jobState(job('kite'), 99_000)).toMatchObject({ completedAt: 6000 });
  });

  it('completes at once when rendering takes no time', () => {
    expect(jobState(job('kite', 0), 5000).status).toBe('completed');
  });

  it('fails at its end with [fail]', () => {
    expect(jobState(job('[FAIL] kite'), 5500).status).toBe('in_progress');
    expect(jobState(job('[FAIL] kite'), 6000).status).toBe('failed');
  });

  it('stays in progress for ever with [stall]', () => {
    expect(jobState(job('kite [stall]'), 5300)).toEqual({ status: 'in_progress', progress: 30 });
    expect(jobState(job('kite [stall]'), 9e12)).toEqual({ status: 'in_progress', progress: 50 });
    expect(jobState(job('kite [stall]', 0), 5000).status).toBe('in_progress');
  });

  it('keeps content for a day, and with [expire] not at all', () => {
    expect(jobState(job('kite'), 6000)).toMatchObject({ expiresAt: 6000 + 86_400_000 });
    expect(jobState(job('kite [expire]'), 6000)).toMatchObject({ expiresAt: 6000 });
  });
});
