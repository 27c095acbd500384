import { endOf, type MediaJob } from '../../jobs/media-job.ts';

/** Each image takes a slot of its own (Kling docs). */
function slotsOf({ kind, count }: Pick<MediaJob, 'kind' | 'count'>): number {
  return kind === 'image' ? count : 1;
}

/** Videos and images are counted separately (Kling docs: by type of resource pack). */
export function exceedsLimit(
  unfinished: readonly MediaJob[],
  params: Pick<MediaJob, 'kind' | 'count'>,
  limit: number | undefined,
): boolean {
  if (limit === undefined) return false;
  const alike = unfinished.filter((job) => job.kind === params.kind);
  return alike.reduce((sum, job) => sum + slotsOf(job), slotsOf(params)) > limit;
}

/** Start time of another job, in Unix milliseconds, if jobs over the limit wait. */
export function startTimeOf(unfinished: readonly MediaJob[], now: number, limit: number | undefined): number {
  if (limit === undefined || unfinished.length < limit) return now;
  const ends = unfinished.map(endOf).toSorted((a, b) => a - b);
  return ends.at(-limit) ?? now;
}
