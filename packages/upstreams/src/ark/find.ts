import type { FindOutcome, MediaSubmission, VideoRequest } from '@sluice/canonical';
import { findInList, type ListPage } from '../media/find-in-list.ts';
import type { CallVendor } from '../media/media-wire.ts';
import { markOf } from './mark.ts';
import type { ArkPlan } from './plan.ts';
import { TASKS_PATH } from './submit.ts';
import { WireList } from './wire.ts';

const PAGE_SIZE = 100;
/** Max time from the start of an attempt to its task: large images take long on a slow line. */
const WINDOW_MS = 300_000;

/**
 * Searches Ark's list for a task whose submission response was lost: same model, duration, and mark, created since. A
 * task without one of them is no candidate.
 */
export function findArk(params: MediaSubmission<VideoRequest>, ask: CallVendor, plan: ArkPlan): Promise<FindOutcome> {
  // Volcengine docs: the filter takes endpoint ids. Tasks name the model behind the endpoint.
  const isEndpoint = params.model.startsWith('ep-');
  const filters = {
    ...(isEndpoint && { 'filter.model': params.model }),
    // The list shows the tier `default` unless filtered.
    ...(params.request.metadata?.['service_tier'] === 'flex' && { 'filter.service_tier': 'flex' }),
  };
  const mark = markOf(params.reference);
  const { duration } = plan.options;
  return findInList({
    ask,
    submittedAt: params.submittedAt,
    windowMs: WINDOW_MS,
    call: (page) => {
      const query = new URLSearchParams({ page_num: String(page), page_size: String(PAGE_SIZE), ...filters });
      return { method: 'GET', path: `${TASKS_PATH}?${query.toString()}` };
    },
    read: readList,
    fits: (task) =>
      task.mark === mark &&
      (isEndpoint || task.model === params.model) &&
      (duration === undefined || task.duration === duration),
  });
}

interface ListedTask {
  id: string | undefined;
  createdAt: number | undefined;
  model: string | undefined;
  duration: number | undefined;
  mark: number | undefined;
}

function readList(body: unknown): ListPage<ListedTask> | undefined {
  const items = WireList.parse(body)?.items;
  if (items === undefined) return undefined;
  const jobs = items.map((item) => ({
    id: item?.id,
    createdAt: item?.created_at === undefined ? undefined : item.created_at * 1000,
    model: item?.model,
    duration: item?.duration,
    mark: item?.execution_expires_after,
  }));
  return { jobs, hasMore: jobs.length >= PAGE_SIZE };
}
