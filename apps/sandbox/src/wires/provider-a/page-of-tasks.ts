import type { MediaJob } from '../../jobs/media-job.ts';
import { invalidField } from './kling-error.ts';

function wholeNumber(field: string, text: unknown, otherwise: number, most: number): number {
  if (text === undefined) return otherwise;
  const value = typeof text === 'string' && /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > most) throw invalidField(field, `must be a whole number from 1 to ${most}`);
  return value;
}

/**
 * Cuts a page out of all jobs, newest first, as the query `pageNum` (1 to 1000) and `pageSize` (1 to 500, default 30)
 * asks (Kling docs, "Query Task List").
 * @param jobs oldest first.
 * @throws WireError 1201.
 */
export function pageOfTasks(jobs: readonly MediaJob[], query: Readonly<Record<string, unknown>>): MediaJob[] {
  const number = wholeNumber('pageNum', query.pageNum, 1, 1000);
  const size = wholeNumber('pageSize', query.pageSize, 30, 500);
  return jobs.toReversed().slice((number - 1) * size, number * size);
}
