import type { FindOutcome, MediaSubmission, VideoRequest } from '@sluice/canonical';
import { findInList } from '../media/find-in-list.ts';
import type { CallVendor } from '../media/media-wire.ts';
import type { ViduPlan } from './plan.ts';
import { WireList } from './wire.ts';

const PAGE_SIZE = '100';

/** Stored as the job's path if the client requested a watermark, because the watermarked video has a separate URL. */
export const WATERMARKED = 'watermarked';

export function pathOf({ options }: ViduPlan): string | undefined {
  return options.watermark === true ? WATERMARKED : undefined;
}

/**
 * Searches Vidu's list of the last seven days for the task with the attempt's `payload`. If the task is missing, this
 * proves nothing.
 */
export async function findVidu(
  { reference, submittedAt }: MediaSubmission<VideoRequest>,
  send: CallVendor,
  plan: ViduPlan,
): Promise<FindOutcome> {
  const outcome = await findInList({
    send,
    submittedAt,
    certain: true,
    call: (_page, next) => {
      const query = new URLSearchParams({ 'pager.pagesz': PAGE_SIZE, ...(next && { 'pager.page_token': next }) });
      return { method: 'GET', path: `/tasks?${query.toString()}` };
    },
    read: (body) => {
      const { tasks, next_page_token: next } = WireList.parse(body) ?? {};
      const jobs = tasks?.map((task) => {
        const createdAt = Date.parse(task?.created_at ?? '');
        return { id: task?.id, payload: task?.payload, createdAt: Number.isNaN(createdAt) ? undefined : createdAt };
      });
      return jobs && { jobs, hasMore: next !== undefined, next };
    },
    isMatch: ({ payload }) => payload === reference,
  });
  if (outcome.kind !== 'candidates') return outcome;
  return { ...outcome, jobs: outcome.jobs.map(({ upstreamId }) => ({ upstreamId, path: pathOf(plan) })) };
}
