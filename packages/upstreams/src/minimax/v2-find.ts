import type { FindOutcome, MediaSubmission, VideoRequest } from '@sluice/canonical';
import { findInList, type ListPage } from '../media/find-in-list.ts';
import type { AskVendor } from '../media/media-wire.ts';
import type { WireTools } from '../media/wire-tools.ts';
import type { PlanV2 } from './v2-plan.ts';
import { LIST_PATH_V2 } from './v2-task.ts';
import { WireListV2 } from './wire.ts';

const PAGE_SIZE = 100;
/** From the beginning of an attempt to its task. */
const WINDOW_MS = 60_000;
/** After this the answers of all submissions of that time are known, but for lost ones. */
const SETTLED_MS = 120_000;

/**
 * Looks through the list of v2 for the task of a lost answer: same model, duration, resolution and shape, made within a
 * minute. The list tells neither prompts nor anything of ours, so another client's task may look the same; until the
 * answers to all submissions of that minute are known the look-up says nothing.
 */
export async function findV2(
  tools: WireTools,
  wish: MediaSubmission<VideoRequest>,
  ask: AskVendor,
  { options }: PlanV2,
): Promise<FindOutcome> {
  if (tools.now() - wish.submittedAt < SETTLED_MS) {
    return { kind: 'unclear', message: 'It is too early to look the task up' };
  }
  return findInList({
    ask,
    submittedAt: wish.submittedAt,
    windowMs: WINDOW_MS,
    call: (page) => {
      const query = new URLSearchParams({
        page_num: String(page),
        page_size: String(PAGE_SIZE),
        'filter.model': wish.model,
        'filter.task_type': 'generation',
      });
      return { method: 'GET', path: `${LIST_PATH_V2}?${query.toString()}` };
    },
    read: readList,
    fits: (task) =>
      task.model === wish.model &&
      task.duration === options.duration &&
      task.resolution === options.resolution &&
      // With pictures the vendor may say `adaptive` or what came out of it.
      (options.ratio === undefined || task.ratio === options.ratio),
  });
}

interface ListedTask {
  id: string | undefined;
  createdAt: number | undefined;
  model: string | undefined;
  duration: number | undefined;
  resolution: string | undefined;
  ratio: string | undefined;
}

function readList(body: unknown): ListPage<ListedTask> | undefined {
  const items = WireListV2.parse(body)?.items;
  if (items === undefined) return undefined;
  const jobs = items.map((task) => ({
    id: task?.id,
    createdAt: task?.created_at === undefined ? undefined : task.created_at * 1000,
    model: task?.model,
    duration: task?.duration,
    resolution: task?.resolution?.toUpperCase(),
    ratio: task?.ratio,
  }));
  return { jobs, hasMore: jobs.length >= PAGE_SIZE };
}
