import { describe, expect, it } from 'vitest';
import { testJob } from '../../../test/media-rig.ts';
import { listVidu } from './vidu-list.ts';

function viduJob(id: string, createdAt: number, resolution = '720p', prompt = 'kite') {
  const requestFields = { off_peak: false, watermark: false, bgm: false, resolution };
  return testJob({ id, createdAt, prompt, requestFields });
}

const jobs = [viduJob('a', 0), viduJob('b', 1000, '1080p'), viduJob('c', 2000, '720p', '[fail]')];

function list(query: Record<string, unknown>): [ids: string, next: string] {
  const page = listVidu(jobs, query, 3000);
  return [page.jobs.map(({ id }) => id).join(''), page.next];
}

describe('listVidu', () => {
  it.each([
    [{}, 'cba'],
    [{ 'pager.page': '1', 'pager.pagesz': '2' }, 'a'],
    [{ task_ids: ['a', 'b'] }, 'ba'],
    [{ states: 'failed' }, 'c'],
    [{ states: ['success', 'failed'] }, 'cba'],
    [{ resolutions: '1080p' }, 'b'],
    [{ 'created_at.from': '1970-01-01T00:00:01Z' }, 'cb'],
    [{ 'created_at.to': '1970-01-01T00:00:01Z' }, 'ba'],
  ])('returns for %j %s', (query, ids) => {
    expect(list(query)).toEqual([ids, '']);
  });

  it('uses page tokens', () => {
    const [first, next] = list({ 'pager.pagesz': '2' });
    const [second, last] = list({ 'pager.pagesz': '2', 'pager.page_token': next });
    expect([first, second, last]).toEqual(['cb', 'a', '']);
  });

  it.each([
    { 'pager.pagesz': '0' },
    { 'pager.pagesz': '101' },
    { 'pager.page': '-1' },
    { 'pager.page_token': 'nonsense' },
    { states: 'done' },
    { 'created_at.from': 'yesterday' },
  ])('rejects %j', (query) => {
    const [field = ''] = Object.keys(query);
    expect(() => list(query)).toThrow(`invalid field: ${field}`);
  });
});
