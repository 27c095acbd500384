import { describe, expect, it } from 'vitest';
import { testJob } from '../../../test/media-rig.ts';
import { WireError } from '../../http/wire-error.ts';
import { listTasks, type TaskList } from './list-tasks.ts';

const jobs = [testJob({ id: 'a' }), testJob({ id: 'b', prompt: '[fail]' }), testJob({ id: 'c', model: 'behind' })];

const rules: TaskList = {
  statuses: ['done', 'failed', 'waiting'],
  statusOf: ({ prompt }) => (prompt === '[fail]' ? 'failed' : 'done'),
  namesOf: ({ model }) => (model === 'behind' ? ['ep-1', model] : [model]),
  refuse: (field, problem) => new WireError(400, `${field} ${problem}`, () => ({})),
};

function list(query: Record<string, unknown>): [ids: string, total: number] {
  const page = listTasks(jobs, query, rules);
  return [page.jobs.map(({ id }) => id).join(''), page.total];
}

describe('listTasks', () => {
  it.each([
    [{}, 'cba', 3],
    [{ page_size: '2' }, 'cb', 3],
    [{ page_size: '2', page_num: '2' }, 'a', 3],
    [{ 'filter.status': 'failed' }, 'b', 1],
    [{ 'filter.status': 'waiting' }, '', 0],
    [{ 'filter.task_ids': ['a', 'c', 'z'] }, 'ca', 2],
    [{ 'filter.task_ids': 'a' }, 'a', 1],
    [{ 'filter.model': 'ep-1' }, 'c', 1],
    [{ 'filter.model': 'behind' }, 'c', 1],
  ])('for %j returns %s of %d', (query, ids, total) => {
    expect(list(query)).toEqual([ids, total]);
  });

  it.each([
    [{ page_num: '0' }, 'page_num must be'],
    [{ page_size: '501' }, 'page_size must be'],
    [{ 'filter.status': 'ready' }, 'filter.status must be one of done, failed, waiting'],
    [{ 'filter.status': ['failed', 'done'] }, 'filter.status may be given once'],
    [{ 'filter.model': ['m', 'n'] }, 'filter.model may be given once'],
  ])('rejects %j', (query, problem) => {
    expect(() => list(query)).toThrow(problem);
  });
});
