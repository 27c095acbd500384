import type { WireError } from '../../http/wire-error.ts';
import type { MediaJob } from '../../jobs/media-job.ts';
import { pageOf, queryNumber, queryTexts } from './page-of.ts';

export interface TaskList {
  statuses: readonly string[];
  statusOf: (job: MediaJob) => string;
  namesOf: (job: MediaJob) => readonly string[];
  refuse: (field: string, problem: string) => WireError;
}

export type Query = Readonly<Record<string, unknown>>;

/**
 * Reads a query field that may occur only once.
 * @throws the error that `refuse` creates.
 */
export function oneOf(query: Query, field: string, refuse: TaskList['refuse'], known?: readonly string[]) {
  const [value, ...rest] = queryTexts(query[field]);
  if (rest.length > 0) throw refuse(field, 'may be given once');
  const isValid = value === undefined || known === undefined || known.includes(value);
  if (!isValid) throw refuse(field, `must be one of ${known.join(', ')}`);
  return value;
}

/**
 * Lists tasks as Ark and MiniMax do: newest first, with `page_num` and `page_size` (each 1 to 500), `filter.status`,
 * `filter.model`, and `filter.task_ids` (repeatable).
 * @param jobs oldest first.
 */
export function listTasks(jobs: readonly MediaJob[], query: Query, list: TaskList) {
  const { statuses, statusOf, namesOf, refuse } = list;
  const number = (field: string, otherwise: number): number =>
    queryNumber(query[field], { min: 1, max: 500, otherwise }, () => refuse(field, 'must be from 1 to 500'));
  const page = number('page_num', 1);
  const size = number('page_size', 20);
  const status = oneOf(query, 'filter.status', refuse, statuses);
  const model = oneOf(query, 'filter.model', refuse);
  const ids = queryTexts(query['filter.task_ids']);
  const matches = jobs
    .toReversed()
    .filter(
      (job) =>
        (status === undefined || statusOf(job) === status) &&
        (model === undefined || namesOf(job).includes(model)) &&
        (ids.length === 0 || ids.includes(job.id)),
    );
  return { jobs: pageOf(matches, page, size), total: matches.length };
}
