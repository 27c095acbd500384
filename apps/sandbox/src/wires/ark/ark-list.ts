import type { MediaJob } from '../../jobs/media-job.ts';
import { pageOf, queryNumber, queryTexts } from '../media/page-of.ts';
import { invalidParameter } from './ark-error.ts';
import { ARK_STATUSES, arkStatus, askedOf } from './ark-task.ts';

/** A page of the list. */
export interface ArkPage {
  jobs: MediaJob[];
  /** Of all pages. */
  total: number;
}

/** The value of a field that may come once. @throws WireError 400 */
function only(query: Readonly<Record<string, unknown>>, field: string, known?: readonly string[]): string | undefined {
  const [value, ...rest] = queryTexts(query[field]);
  const isFine = rest.length === 0 && (value === undefined || known === undefined || known.includes(value));
  if (!isFine) throw invalidParameter(field, `must be one of ${known?.join(', ') ?? 'the models'}`);
  return value;
}

/**
 * Cuts a page out of all jobs, newest first, as `page_num`, `page_size` and the filters ask. Without a filter for the
 * tier, only tasks of the tier `default` are listed (ModelArk docs, "List video generation tasks").
 * @param jobs oldest first.
 * @throws WireError 400.
 */
export function listArk(jobs: readonly MediaJob[], query: Readonly<Record<string, unknown>>, now: number): ArkPage {
  const number = (field: string, otherwise: number): number =>
    queryNumber(query[field], { least: 1, most: 500, otherwise }, () =>
      invalidParameter(field, 'must be from 1 to 500'),
    );
  const page = number('page_num', 1);
  const size = number('page_size', 20);
  const status = only(query, 'filter.status', ARK_STATUSES);
  const tier = only(query, 'filter.service_tier', ['default', 'flex']) ?? 'default';
  const model = only(query, 'filter.model');
  const ids = queryTexts(query['filter.task_ids']);
  const found = jobs.toReversed().filter((job) => {
    const { name, told } = askedOf(job);
    return (
      told.service_tier === tier &&
      (status === undefined || arkStatus(job, now) === status) &&
      (model === undefined || model === name || model === job.model) &&
      (ids.length === 0 || ids.includes(job.id))
    );
  });
  return { jobs: pageOf(found, page, size), total: found.length };
}
