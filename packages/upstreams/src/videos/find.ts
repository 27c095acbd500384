import type { FindOutcome, MediaSubmission, VideoRequest } from '@sluice/canonical';
import { findInList } from '../media/find-in-list.ts';
import type { CallVendor } from '../media/media-wire.ts';
import type { VideosPlan } from './plan.ts';
import { readPage, type WireJob } from './wire.ts';

const PAGE_LIMIT = 100;
/** Maximum time from an attempt's start to its job's creation. Short, because a request has at most one image. */
const WINDOW_MS = 120_000;

/**
 * Searches the list for a job whose submission response was lost. The job must have the same model, prompt, duration,
 * and size, and must have been created soon after the submission. The protocol has no client reference, so a later job
 * is more likely to belong to another client.
 */
export function findVideo(
  params: MediaSubmission<VideoRequest>,
  send: CallVendor,
  plan: VideosPlan,
): Promise<FindOutcome> {
  return findInList({
    send,
    submittedAt: params.submittedAt,
    windowMs: WINDOW_MS,
    call: (_page, after) => {
      const query = new URLSearchParams({ limit: String(PAGE_LIMIT), order: 'desc', ...(after && { after }) });
      return { method: 'GET', path: `/videos?${query.toString()}` };
    },
    read: (body) => {
      const page = readPage(body);
      return page && { jobs: page.jobs, hasMore: page.hasMore ?? page.jobs.length >= PAGE_LIMIT, next: page.lastId };
    },
    isMatch: (job) => isMatch(job, params, plan),
  });
}

/** A job that lacks one of these fields does not match. Only the size may be missing, because many lists omit it. */
function isMatch(job: WireJob, { model, request }: MediaSubmission<VideoRequest>, plan: VideosPlan): boolean {
  if (job.model !== model || job.prompt === undefined || job.prompt !== request.prompt?.trim()) return false;
  if (job.remixedFrom !== undefined && job.remixedFrom !== request.remix?.upstreamId) return false;
  if (plan.size !== undefined && job.size !== undefined && job.size !== plan.size) return false;
  // A remix has the duration of its original, so its plan has none.
  return plan.seconds === undefined || (job.seconds !== undefined && Number(job.seconds) === Number(plan.seconds));
}
