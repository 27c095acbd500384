import type { FindOutcome, MediaSubmission, VideoRequest } from '@sluice/canonical';
import { findInList, type ListedJob, type ListPage } from '../media/find-in-list.ts';
import type { CallVendor } from '../media/media-wire.ts';
import type { ViduPlan } from './plan.ts';
import { pathOf } from './submit.ts';
import { WireList } from './wire.ts';

const PAGE_SIZE = 100;

/** Searches Vidu's list of the last seven days for the task with our payload. Its absence proves nothing. */
export async function findVidu(
  params: MediaSubmission<VideoRequest>,
  ask: CallVendor,
  plan: ViduPlan,
): Promise<FindOutcome> {
  const found = await findInList({
    ask,
    submittedAt: params.submittedAt,
    certain: true,
    call: (_page, next) => {
      const query = new URLSearchParams({
        'pager.pagesz': String(PAGE_SIZE),
        ...(next !== undefined && { 'pager.page_token': next }),
      });
      return { method: 'GET', path: `/tasks?${query.toString()}` };
    },
    read: readList,
    fits: ({ payload }) => payload === params.reference,
  });
  const path = pathOf(plan);
  if (found.kind !== 'candidates' || path === undefined) return found;
  return { ...found, jobs: found.jobs.map(({ upstreamId }) => ({ upstreamId, path })) };
}

function readList(body: unknown): ListPage<ListedJob & { payload: string | undefined }> | undefined {
  const read = WireList.parse(body);
  if (read?.tasks === undefined) return undefined;
  const jobs = read.tasks.map((task) => {
    const createdAt = Date.parse(task?.created_at ?? '');
    return { id: task?.id, payload: task?.payload, createdAt: Number.isNaN(createdAt) ? undefined : createdAt };
  });
  return { jobs, hasMore: read.next_page_token !== undefined, next: read.next_page_token };
}
