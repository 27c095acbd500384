import type { MediaJob } from '../../jobs/media-job.ts';
import { queryNumber } from '../media/page-of.ts';
import { invalidValue } from '../openai-style/openai-error.ts';

const MAX_LIMIT = 100;

/**
 * Lists the newest jobs first by default.
 * @param jobs oldest first.
 * @throws WireError 400 for an invalid query.
 */
export function pageOfJobs(jobs: readonly MediaJob[], query: ReadonlyMap<string, unknown>) {
  const limit = queryNumber(query.get('limit'), { min: 1, max: MAX_LIMIT, otherwise: 20 }, () =>
    invalidValue('limit', `Invalid value for 'limit': expected a whole number from 1 to ${MAX_LIMIT}.`),
  );
  const order = query.get('order') ?? 'desc';
  if (order !== 'asc' && order !== 'desc') {
    throw invalidValue('order', "Invalid value for 'order': expected 'asc' or 'desc'.");
  }
  const ordered = order === 'asc' ? jobs : jobs.toReversed();
  const after = query.get('after');
  const at = ordered.findIndex((job) => job.id === after);
  if (after !== undefined && at === -1) throw invalidValue('after', "Invalid value for 'after': no such video.");
  return { jobs: ordered.slice(at + 1, at + 1 + limit), hasMore: ordered.length > at + 1 + limit };
}
