import { describe, expect, it } from 'vitest';
import type { MediaJob } from '../../jobs/media-job.ts';
import { pageOfJobs } from './list-videos.ts';

const jobs: MediaJob[] = Array.from({ length: 5 }, (_, index) => ({
  id: String(index),
  wire: 'videos',
  kind: 'video',
  task: 't',
  model: 'm',
  prompt: 'kite',
  seconds: 4,
  width: 320,
  height: 176,
  count: 1,
  createdAt: 0,
  renderMs: 0,
  inputs: [],
}));

function page(query: Record<string, unknown>): [string, boolean] {
  const { jobs: pageJobs, hasMore } = pageOfJobs(jobs, new Map(Object.entries(query)));
  return [pageJobs.map(({ id }) => id).join(''), hasMore];
}

describe('pageOfJobs', () => {
  it('lists the newest first', () => {
    expect(page({})).toEqual(['43210', false]);
    expect(page({ order: 'asc' })).toEqual(['01234', false]);
  });

  it('walks in pages, each job once', () => {
    expect(page({ limit: '2' })).toEqual(['43', true]);
    expect(page({ limit: '2', after: '3' })).toEqual(['21', true]);
    expect(page({ limit: '2', after: '1' })).toEqual(['0', false]);
    expect(page({ limit: '2', after: '0' })).toEqual(['', false]);
    expect(page({ limit: '2', after: '1', order: 'asc' })).toEqual(['23', true]);
  });

  it.each([{ limit: '0' }, { limit: '101' }, { limit: 'all' }, { order: 'up' }, { after: 'unknown' }])(
    'rejects %j',
    (query) => {
      expect(() => page(query)).toThrow(Object.keys(query)[0]);
    },
  );
});
