import type { MediaJob } from '../../jobs/media-job.ts';
import { pageOf, queryNumber, queryTexts } from '../media/page-of.ts';
import { fieldInvalid } from './vidu-error.ts';
import { requestFieldsOf, VIDU_STATES, viduState } from './vidu-task.ts';

type Query = Readonly<Record<string, unknown>>;

function timeOf(query: Query, field: string, otherwise: number): number {
  const [text] = queryTexts(query[field]);
  if (text === undefined) return otherwise;
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw fieldInvalid(field);
  return time;
}

function pageNumberOf(query: Query): number {
  const [token] = queryTexts(query['pager.page_token']);
  const refuse = () => fieldInvalid(token === undefined ? 'pager.page' : 'pager.page_token');
  const text = token === undefined ? query['pager.page'] : Buffer.from(token, 'base64url').toString();
  return queryNumber(text, { min: 0, max: 1_000_000, otherwise: 0 }, refuse);
}

/**
 * Lists tasks newest first. Filters: `created_at.from`, `created_at.to`, `task_ids`, `states`, and `resolutions`
 * (repeatable). Pages: `pager.page` (from 0) or `pager.page_token`, and `pager.pagesz` (1 to 100, default 10). The docs
 * ("Query Task List") misspell one of these fields as `paper.`.
 * @param jobs oldest first.
 * @throws WireError 400.
 */
export function listVidu(jobs: readonly MediaJob[], query: Query, now: number) {
  const pageSize = query['pager.pagesz'];
  const size = queryNumber(pageSize, { min: 1, max: 100, otherwise: 10 }, () => fieldInvalid('pager.pagesz'));
  const page = pageNumberOf(query);
  const from = timeOf(query, 'created_at.from', Number.NEGATIVE_INFINITY);
  const to = timeOf(query, 'created_at.to', Number.POSITIVE_INFINITY);
  const ids = queryTexts(query.task_ids);
  const states = queryTexts(query.states);
  if (states.some((state) => !VIDU_STATES.some((known) => known === state))) throw fieldInvalid('states');
  const resolutions = queryTexts(query.resolutions);
  const matches = jobs
    .toReversed()
    .filter(
      (job) =>
        job.createdAt >= from &&
        job.createdAt <= to &&
        (ids.length === 0 || ids.includes(job.id)) &&
        (states.length === 0 || states.includes(viduState(job, now))) &&
        (resolutions.length === 0 || resolutions.some((resolution) => resolution === requestFieldsOf(job).resolution)),
    );
  const hasMore = matches.length > (page + 1) * size;
  return {
    jobs: pageOf(matches, page + 1, size),
    /** Token of the next page; empty for the last page. */
    next: hasMore ? Buffer.from(String(page + 1)).toString('base64url') : '',
  };
}
