import type { FindOutcome, MediaSubmission, VideoRequest } from '@sluice/canonical';
import { findInList, type ListPage } from '../media/find-in-list.ts';
import type { CallVendor } from '../media/media-wire.ts';
import type { VideosPlan } from './plan.ts';
import { readPage, type WireJob } from './wire.ts';

const PAGE_LIMIT = 100;
/** From the beginning of an attempt to its job: the wire carries one picture at most, streamed. */
const WINDOW_MS = 120_000;

/**
 * Looks in the upstream's list for the job of a submission whose answer was lost: jobs of the same model, prompt,
 * duration and size, made since and soon. The wire has no name of ours for a job, so a later one is more likely another
 * client's.
 */
export function findVideo(
  params: MediaSubmission<VideoRequest>,
  ask: CallVendor,
  plan: VideosPlan,
): Promise<FindOutcome> {
  return findInList({
    ask,
    submittedAt: params.submittedAt,
    windowMs: WINDOW_MS,
    call: (_page, after) => {
      const query = new URLSearchParams({
        limit: String(PAGE_LIMIT),
        order: 'desc',
        ...(after === undefined ? {} : { after }),
      });
      return { method: 'GET', path: `/videos?${query.toString()}` };
    },
    read: readList,
    fits: (job) => fits(job, params, plan),
  });
}

function readList(body: unknown): ListPage<WireJob> | undefined {
  const page = readPage(body);
  return page && { jobs: page.jobs, hasMore: page.hasMore ?? page.jobs.length >= PAGE_LIMIT, next: page.lastId };
}

/** What the upstream does not tell cannot be compared, so the job is no candidate; sizes alone are often left out. */
function fits(job: WireJob, { model, request }: MediaSubmission<VideoRequest>, plan: VideosPlan): boolean {
  if (job.model !== model || job.prompt === undefined || job.prompt !== request.prompt?.trim()) return false;
  if (job.remixedFrom !== undefined && job.remixedFrom !== request.remix?.upstreamId) return false;
  if (plan.size !== undefined && job.size !== undefined && job.size !== plan.size) return false;
  // A variation is as long as what it is one of: its plan tells nothing.
  return plan.seconds === undefined || (job.seconds !== undefined && Number(job.seconds) === Number(plan.seconds));
}
