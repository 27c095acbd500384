import type { MediaJob } from '../../jobs/media-job.ts';
import { invalidValue } from '../openai-style/openai-error.ts';

export interface JobPage {
  jobs: MediaJob[];
  hasMore: boolean;
}

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

function parseLimit(text: unknown): number {
  if (text === undefined) return DEFAULT_LIMIT;
  const limit = typeof text === 'string' && /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MAX_LIMIT) {
    throw invalidValue('limit', `Invalid value for 'limit': expected a whole number from 1 to ${MAX_LIMIT}.`);
  }
  return limit;
}

/**
 * Newest first by default.
 * @param jobs oldest first.
 * @throws WireError 400 for an invalid query.
 */
export function pageOfJobs(jobs: readonly MediaJob[], query: ReadonlyMap<string, unknown>): JobPage {
  const limit = parseLimit(query.get('limit'));
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
