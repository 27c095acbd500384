import { describe, expect, it } from 'vitest';
import { testJob } from '../../../test/media-rig.ts';
import { exceedsLimit, startTimeOf } from './account-limit.ts';

const video = { kind: 'video', count: 1 } as const;

describe('exceedsLimit', () => {
  it('has as many slots as the limit', () => {
    expect(exceedsLimit([testJob()], video, 2)).toBe(false);
    expect(exceedsLimit([testJob(), testJob()], video, 2)).toBe(true);
    expect(exceedsLimit([testJob(), testJob()], video, undefined)).toBe(false);
  });

  it('counts each image of a job, and videos separately from images', () => {
    const images = testJob({ kind: 'image', count: 3 });
    expect(exceedsLimit([images], { kind: 'image', count: 2 }, 5)).toBe(false);
    expect(exceedsLimit([images], { kind: 'image', count: 3 }, 5)).toBe(true);
    expect(exceedsLimit([images], video, 1)).toBe(false);
  });
});

describe('startTimeOf', () => {
  const jobs = [300, 100, 200].map((renderMs) => testJob({ renderMs }));

  it('is now while a slot is free', () => {
    expect(startTimeOf(jobs, 50, 4)).toBe(50);
    expect(startTimeOf(jobs, 50, undefined)).toBe(50);
  });

  it('is when enough of the others have ended', () => {
    expect([3, 2, 1].map((limit) => startTimeOf(jobs, 50, limit))).toEqual([100, 200, 300]);
  });

  it('is never behind a stalled job', () => {
    expect(startTimeOf([testJob({ prompt: '[stall]' })], 50, 1)).toBe(Number.MAX_SAFE_INTEGER);
  });
});
