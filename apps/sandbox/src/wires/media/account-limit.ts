import { endOf, type MediaJob } from '../../jobs/media-job.ts';

/** How many places of its account a job takes: one, but pictures each take their own (Kling docs). */
function slotsOf(job: Pick<MediaJob, 'kind' | 'count'>): number {
  return job.kind === 'image' ? job.count : 1;
}

/**
 * Tells whether an account with these unfinished jobs has no place for another. Films and pictures are counted apart
 * (Kling docs: by type of resource pack).
 * @param limit absent: any number fits.
 */
export function exceedsLimit(
  unfinished: readonly MediaJob[],
  params: Pick<MediaJob, 'kind' | 'count'>,
  limit: number | undefined,
): boolean {
  if (limit === undefined) return false;
  const alike = unfinished.filter((job) => job.kind === params.kind);
  return alike.reduce((sum, job) => sum + slotsOf(job), slotsOf(params)) > limit;
}

/** When a vendor that lets jobs wait begins with another one, in Unix milliseconds: once all but `limit` - 1 have ended. */
export function turnOf(unfinished: readonly MediaJob[], now: number, limit: number | undefined): number {
  if (limit === undefined || unfinished.length < limit) return now;
  const ends = unfinished.map(endOf).toSorted((a, b) => a - b);
  return ends.at(-limit) ?? now;
}
