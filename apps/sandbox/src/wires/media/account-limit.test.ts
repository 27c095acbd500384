import { describe, expect, it } from 'vitest';
import { testJob } from '../../../test/media-rig.ts';
import { exceedsLimit, turnOf } from './account-limit.ts';

const video = { kind: 'video', count: 1 } as const;

describe('isFull', () => {
  it('has a place for as many as the limit says', () => {
    expect(exceedsLimit([testJob()], video, 2)).toBe(false);
    expect(exceedsLimit([testJob(), testJob()], video, 2)).toBe(true);
    expect(exceedsLimit([testJob(), testJob()], video, undefined)).toBe(false);
  });

  it('counts each picture of a job, and films apart from pictures', () => {
    const images = testJob({ kind: 'image', count: 3 });
    expect(exceedsLimit([images], { kind: 'image', count: 2 }, 5)).toBe(false);
    expect(exceedsLimit([images], { kind: 'image', count: 3 }, 5)).toBe(true);
    expect(exceedsLimit([images], video, 1)).toBe(false);
  });
});

describe('turnOf', () => {
  const jobs = [300, 100, 200].map((renderMs) => testJob({ renderMs }));

  it('is now while there is a place', () => {
    expect(turnOf(jobs, 50, 4)).toBe(50);
    expect(turnOf(jobs, 50, undefined)).toBe(50);
  });

  it('is when enough of the others have ended', () => {
    expect([3, 2, 1].map((limit) => turnOf(jobs, 50, limit))).toEqual([100, 200, 300]);
  });

  it('is never behind a job that stalls', () => {
    expect(turnOf([testJob({ prompt: '[stall]' })], 50, 1)).toBe(Number.MAX_SAFE_INTEGER);
  });
});
