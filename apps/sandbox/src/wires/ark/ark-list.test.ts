import { describe, expect, it } from 'vitest';
import { testJob } from '../../../test/media-rig.ts';
import type { MediaJob } from '../../jobs/media-job.ts';
import { listArk } from './ark-list.ts';

function made(id: string, more: { name?: string; service_tier?: string } & Partial<MediaJob> = {}): MediaJob {
  const { name = 'm', service_tier = 'default', ...rest } = more;
  const asked = { name, return_last_frame: false, told: { service_tier, execution_expires_after: 3600 } };
  return testJob({ id, wire: 'ark', asked, ...rest });
}

const jobs = [
  made('a'),
  made('b', { prompt: '[fail]' }),
  made('c', { model: 'behind', name: 'ep-1' }),
  made('d', { service_tier: 'flex' }),
];

function list(query: Record<string, unknown>): [ids: string, total: number] {
  const page = listArk(jobs, query, 1000);
  return [page.jobs.map(({ id }) => id).join(''), page.total];
}

describe('listArk', () => {
  it.each([
    [{}, 'cba', 3],
    [{ page_size: '2' }, 'cb', 3],
    [{ page_size: '2', page_num: '2' }, 'a', 3],
    [{ 'filter.status': 'failed' }, 'b', 1],
    [{ 'filter.task_ids': ['a', 'c', 'z'] }, 'ca', 2],
    [{ 'filter.task_ids': 'a' }, 'a', 1],
    [{ 'filter.model': 'ep-1' }, 'c', 1],
    [{ 'filter.model': 'behind' }, 'c', 1],
    [{ 'filter.service_tier': 'flex' }, 'd', 1],
  ])('for %j gives %s of %d', (query, ids, total) => {
    expect(list(query)).toEqual([ids, total]);
  });

  it.each([
    { page_num: '0' },
    { page_size: '501' },
    { 'filter.status': 'done' },
    { 'filter.status': ['failed', 'queued'] },
    { 'filter.service_tier': 'slow' },
  ])('refuses %j', (query) => {
    expect(() => list(query)).toThrow(expect.objectContaining({ status: 400 }));
  });
});
