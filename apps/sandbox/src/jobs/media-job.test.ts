import { describe, expect, it } from 'vitest';
import { endOf, isVisible, jobState, type MediaJob, MediaJobSchema } from './media-job.ts';

function job(prompt: string, more: Partial<MediaJob> = {}): MediaJob {
  return {
    id: '1',
    wire: 'videos',
    kind: 'video',
    task: 't',
    model: 'm',
    prompt,
    seconds: 4,
    width: 320,
    height: 176,
    count: 1,
    createdAt: 5000,
    renderMs: 1000,
    inputs: [],
    ...more,
  };
}

function outputs(prompt: string, count: number) {
  const state = jobState(job(prompt, { count }), 6000);
  return state.status === 'completed' ? state.outputs : state.status;
}

describe('jobState', () => {
  it('goes from queued to in progress to completed over time', () => {
    expect(jobState(job('kite'), 5000)).toEqual({ status: 'queued', progress: 0 });
    expect(jobState(job('kite'), 5500)).toEqual({ status: 'in_progress', progress: 50 });
    expect(jobState(job('kite'), 5999)).toEqual({ status: 'in_progress', progress: 99 });
    const completed = { status: 'completed', progress: 100, completedAt: 6000, outputs: [0] };
    expect(jobState(job('kite'), 6000)).toEqual(completed);
  });

  it('never decreases progress, which is an integer', () => {
    const seen = Array.from({ length: 120 }, (_, step) => jobState(job('kite'), 4900 + step * 10).progress);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(seen.every(Number.isInteger)).toBe(true);
  });

  it('depends only on the job and the time', () => {
    expect(jobState(job('kite'), 99_000)).toEqual(jobState(job('kite'), 99_000));
    expect(jobState(job('kite'), 99_000)).toMatchObject({ completedAt: 6000 });
  });

  it('completes immediately without render time', () => {
    expect(jobState(job('kite', { renderMs: 0 }), 5000).status).toBe('completed');
  });

  it('starts at `startsAt`', () => {
    const throttled = job('kite', { startsAt: 8000 });
    expect(jobState(throttled, 7999)).toEqual({ status: 'queued', progress: 0 });
    expect(jobState(throttled, 8500)).toEqual({ status: 'in_progress', progress: 50 });
    expect(jobState(throttled, 9000)).toMatchObject({ status: 'completed', completedAt: 9000 });
    const never = job('kite', { startsAt: Number.MAX_SAFE_INTEGER, renderMs: 0 });
    expect(jobState(never, 9e12).status).toBe('queued');
  });

  it('fails when it ends with [fail], and with cause `moderation` for [moderated-output]', () => {
    expect(jobState(job('[FAIL] kite'), 5500).status).toBe('in_progress');
    expect(jobState(job('[FAIL] kite'), 6000)).toMatchObject({ status: 'failed', cause: 'error' });
    expect(jobState(job('[moderated-output] kite'), 6000)).toMatchObject({ status: 'failed', cause: 'moderation' });
  });

  it('stays in progress forever with [stall]', () => {
    expect(jobState(job('kite [stall]'), 5300)).toEqual({ status: 'in_progress', progress: 30 });
    expect(jobState(job('kite [stall]'), 9e12)).toEqual({ status: 'in_progress', progress: 50 });
    expect(jobState(job('kite [stall]', { renderMs: 0 }), 5000).status).toBe('in_progress');
    expect(endOf(job('kite [stall]'))).toBeGreaterThan(9e14);
  });

  it('omits the last of several outputs with [partial], and all with [nothing]', () => {
    expect(outputs('kite', 3)).toEqual([0, 1, 2]);
    expect(outputs('kite [partial]', 3)).toEqual([0, 1]);
    expect(outputs('kite [partial]', 1)).toEqual([0]);
    expect(outputs('kite [nothing]', 3)).toEqual([]);
  });

  it('is failed once canceled, regardless of directives', () => {
    const canceled = job('kite [stall]', { canceledAt: 5300 });
    expect(jobState(canceled, 9000)).toEqual({ status: 'failed', progress: 0, completedAt: 5300, cause: 'error' });
    expect(endOf(canceled)).toBe(5300);
  });
});

describe('isVisible', () => {
  it('hides a job until its visible time', () => {
    expect(isVisible(job('kite'), 0)).toBe(true);
    expect([5099, 5100].map((now) => isVisible(job('kite', { visibleAt: 5100 }), now))).toEqual([false, true]);
  });
});

describe('MediaJobSchema', () => {
  it('reads journal entries from before other vendor APIs existed', () => {
    const { wire: _wire, kind: _kind, count: _count, ...old } = job('kite');
    expect(MediaJobSchema.parse({ ...old, seconds: '4' })).toEqual(job('kite'));
  });

  it('reads the old names of request fields', () => {
    const asked = { name: 'm', told: { duration: 1 } };
    const requestFields = { name: 'm', returned: { duration: 1 } };
    expect(MediaJobSchema.parse({ ...job('kite'), asked })).toEqual(job('kite', { requestFields }));
  });
});
