import type { WireError } from '../../http/wire-error.ts';
import type { MediaJob } from '../../jobs/media-job.ts';
import { pageOf, queryNumber, queryTexts } from './page-of.ts';

/** How a wire lists its tasks. */
export interface TaskList {
  /** The vendor's words for states. */
  statuses: readonly string[];
  statusOf: (job: MediaJob) => string;
  /** The names of models that a job is found by. */
  namesOf: (job: MediaJob) => readonly string[];
  refuse: (field: string, problem: string) => WireError;
}

/** A page of the list. */
export interface TaskPage {
  jobs: MediaJob[];
  /** Of all pages. */
  total: number;
}

/** A parsed query. */
export type Query = Readonly<Record<string, unknown>>;

/**
 * The value of a field that may come once, and has to be known.
 * @param known absent: anything is.
 * @throws what `refuse` makes.
 */
export function oneOf(
  query: Query,
  field: string,
  refuse: TaskList['refuse'],
  known?: readonly string[],
): string | undefined {
  const [value, ...rest] = queryTexts(query[field]);
  if (rest.length > 0) throw refuse(field, 'may be given once');
  const isFine = value === undefined || known === undefined || known.includes(value);
  if (!isFine) throw refuse(field, `must be one of ${known.join(', ')}`);
  return value;
}

/**
 * Cuts a page out of all jobs, newest first, as `page_num`, `page_size` (1 to 500 each), `filter.status`,
 * `filter.model` and `filter.task_ids`, which may be repeated, ask: the way of Ark's list, and of MiniMax's.
 * @param jobs oldest first.
 * @throws what `refuse` makes.
 */
export function listTasks(jobs: readonly MediaJob[], query: Query, list: TaskList): TaskPage {
  const { statuses, statusOf, namesOf, refuse } = list;
  const number = (field: string, otherwise: number): number =>
    queryNumber(query[field], { min: 1, max: 500, otherwise }, () => refuse(field, 'must be from 1 to 500'));
  const page = number('page_num', 1);
  const size = number('page_size', 20);
  const status = oneOf(query, 'filter.status', refuse, statuses);
  const model = oneOf(query, 'filter.model', refuse);
  const ids = queryTexts(query['filter.task_ids']);
  const found = jobs
    .toReversed()
    .filter(
      (job) =>
        (status === undefined || statusOf(job) === status) &&
        (model === undefined || namesOf(job).includes(model)) &&
        (ids.length === 0 || ids.includes(job.id)),
    );
  return { jobs: pageOf(found, page, size), total: found.length };
}
