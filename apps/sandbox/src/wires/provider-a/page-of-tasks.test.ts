import { describe, expect, it } from 'vitest';
import { testJob } from '../../../test/media-rig.ts';
import { pageOfTasks } from './page-of-tasks.ts';

const jobs = Array.from({ length: 35 }, (_, index) => testJob({ id: String(index) }));

function page(query: Record<string, unknown>): string {
  return pageOfTasks(jobs, query)
    .map(({ id }) => id)
    .join();
}

describe('pageOfTasks', () => {
  it('lists thirty, the newest first', () => {
    expect(pageOfTasks(jobs, {})).toHaveLength(30);
    expect(page({ pageSize: '3' })).toBe('34,33,32');
    expect(page({ pageSize: '3', pageNum: '2' })).toBe('31,30,29');
    expect(page({ pageSize: '30', pageNum: '2' })).toBe('4,3,2,1,0');
    expect(page({ pageNum: '1000' })).toBe('');
  });

  it.each([{ pageNum: '0' }, { pageNum: '1001' }, { pageSize: '501' }, { pageSize: 'all' }, { pageSize: ['1', '2'] }])(
    'refuses %j',
    (query) => {
      expect(() => page(query)).toThrow(Object.keys(query)[0]);
    },
  );
});
