import { endOf, type MediaJob } from '../../jobs/media-job.ts';

/** Each image occupies a separate slot (Kling docs). */
function slotsOf({ kind, count }: Pick<MediaJob, 'kind' | 'count'>): number {
  return kind === 'image' ? count : 1;
}

/** Videos and images have separate limits (Kling docs: by type of resource pack). */
export function exceedsLimit(
  unfinished: readonly MediaJob[],
  params: Pick<MediaJob, 'kind' | 'count'>,
  limit: number | undefined,
): boolean {
  if (limit === undefined) return false;
  const sameKind = unfinished.filter((job) => job.kind === params.kind);
  return sameKind.reduce((sum, job) => sum + slotsOf(job), slotsOf(params)) > limit;
}

/** Returns when one more job can start, in Unix milliseconds, if the vendor queues jobs over the limit. */
export function startTimeOf(unfinished: readonly MediaJob[], now: number, limit: number | undefined): number {
  if (limit === undefined || unfinished.length < limit) return now;
  const ends = unfinished.map(endOf).toSorted((a, b) => a - b);
  return ends.at(-limit) ?? now;
}
