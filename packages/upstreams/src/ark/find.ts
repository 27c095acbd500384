import type { FindOutcome, MediaSubmission, VideoRequest } from '@sluice/canonical';
import { findInList } from '../media/find-in-list.ts';
import type { CallVendor } from '../media/media-wire.ts';
import { expirySeconds } from './expiry.ts';
import type { ArkPlan } from './plan.ts';
import { WireList } from './wire.ts';

export const TASKS_PATH = '/contents/generations/tasks';
const PAGE_SIZE = 100;
/** Maximum time from an attempt's start to its task's creation. It is long, because large images upload slowly. */
const WINDOW_MS = 300_000;

/**
 * Searches Ark's list for a task whose submission response was lost. The task must have the same model, duration, and
 * expiry, and must have been created soon after the submission. A task that lacks one of these fields does not match.
 */
export function findArk(params: MediaSubmission<VideoRequest>, send: CallVendor, plan: ArkPlan): Promise<FindOutcome> {
  // Volcengine docs: the filter accepts endpoint ids, but each listed task contains the model name instead.
  const isEndpoint = params.model.startsWith('ep-');
  const filters = {
    ...(isEndpoint && { 'filter.model': params.model }),
    // Without this filter, the list contains only the `default` tier.
    ...(params.request.metadata?.['service_tier'] === 'flex' && { 'filter.service_tier': 'flex' }),
  };
  const expiry = expirySeconds(params.reference);
  const { duration } = plan.options;
  return findInList({
    send,
    submittedAt: params.submittedAt,
    windowMs: WINDOW_MS,
    call: (page) => {
      const query = new URLSearchParams({ page_num: String(page), page_size: String(PAGE_SIZE), ...filters });
      return { method: 'GET', path: `${TASKS_PATH}?${query.toString()}` };
    },
    read: (body) => {
      const items = WireList.parse(body)?.items;
      return (
        items && {
          jobs: items.map((item) => Object.assign({ ...item }, { createdAt: milliseconds(item?.created_at) })),
          hasMore: items.length >= PAGE_SIZE,
        }
      );
    },
    isMatch: (task) =>
      task.execution_expires_after === expiry &&
      (isEndpoint || task.model === params.model) &&
      (duration === undefined || task.duration === duration),
  });
}

function milliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
}
