import type { WireError } from '../../http/wire-error.ts';
import { queryNumber, queryTexts } from '../media/page-of.ts';
import { invalidBedrock } from './bedrock-error.ts';

/**
 * Returns a page of a list of jobs, by the query that all lists of Bedrock have.
 * @param jobs oldest first.
 * @throws WireError 400
 */
export function pageOfJobs<Job extends { createdAt: number }>(
  jobs: readonly Job[],
  query: Readonly<Record<string, unknown>>,
  statusOf: (job: Job) => string,
): { items: Job[]; nextToken: string | undefined } {
  const text = (field: string): string | undefined => queryTexts(query[field])[0];
  const time = (field: string): number | undefined => {
    const value = text(field);
    const parsed = Date.parse(value ?? '');
    if (value !== undefined && Number.isNaN(parsed)) throw invalidField(field);
    return value === undefined ? undefined : parsed;
  };
  const size = queryNumber(query['maxResults'], { min: 1, max: 1000, otherwise: 100 }, () =>
    invalidField('maxResults'),
  );
  const from = queryNumber(query['nextToken'], { min: 1, max: 1_000_000, otherwise: 0 }, () =>
    invalidField('nextToken'),
  );
  const after = time('submitTimeAfter') ?? Number.NEGATIVE_INFINITY;
  const before = time('submitTimeBefore') ?? Number.POSITIVE_INFINITY;
  const status = text('statusEquals');
  const order = text('sortOrder') ?? 'Descending';
  if (order !== 'Ascending' && order !== 'Descending') throw invalidField('sortOrder');
  const matches = (order === 'Ascending' ? jobs : jobs.toReversed()).filter(
    (job) => job.createdAt > after && job.createdAt < before && (status === undefined || statusOf(job) === status),
  );
  return {
    items: matches.slice(from, from + size),
    nextToken: from + size < matches.length ? String(from + size) : undefined,
  };
}

function invalidField(field: string): WireError {
  return invalidBedrock(`1 validation error detected: Value at '${field}' is invalid.`);
}
