import type { FindOutcome, MediaSubmission, VideoRequest } from '@sluice/canonical';
import { findInList, type ListPage } from '../media/find-in-list.ts';
import type { CallVendor } from '../media/media-wire.ts';
import { markOf } from './mark.ts';
import type { ArkPlan } from './plan.ts';
import { TASKS_PATH } from './submit.ts';
import { WireList } from './wire.ts';

const PAGE_SIZE = 100;
/** From the beginning of an attempt to its task: large pictures take their time on a slow line. */
const WINDOW_MS = 300_000;

/**
 * Looks through Ark's list for the task of a lost answer: same model, same duration, our mark, made since. A task that
 * does not tell one of them is no candidate.
 */
export function findArk(params: MediaSubmission<VideoRequest>, ask: CallVendor, plan: ArkPlan): Promise<FindOutcome> {
  // Volcengine docs: the filter takes the ids of endpoints, whose tasks tell the model behind them.
  const isEndpoint = params.model.startsWith('ep-');
  const filters = {
    ...(isEndpoint && { 'filter.model': params.model }),
    // The list shows the tier `default` unless another is asked for.
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
