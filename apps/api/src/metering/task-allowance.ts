import type { MediaRequest } from '@sluice/canonical';
import type { ModelPrice } from '@sluice/config';
import { toNanos } from '@sluice/limits';
import type { TaskAllowance, TaskPrice } from '@sluice/tasks';
import type { ApiKey } from '../auth/api-keys.ts';

/**
 * @param seconds the duration until the upstream reports one
 * @returns undefined for a key without limits
 */
export function taskAllowance(
  { limits, budget }: Pick<ApiKey, 'limits' | 'budget'>,
  price: ModelPrice | undefined,
  request: Pick<MediaRequest, 'kind'> & { n?: number },
  seconds: string,
): TaskAllowance | undefined {
  if (!limits && !budget) return undefined;
  return {
    openTasks: limits?.open_tasks,
    concurrentTasks: limits?.concurrent_tasks,
    ...(budget &&
      price && {
        budget: { nanos: toNanos(budget.usd), period: budget.period },
        price: taskPrice(price, request, seconds),
      }),
  };
}

function taskPrice(
  price: ModelPrice,
  { kind, n = 1 }: { kind: MediaRequest['kind']; n?: number },
  seconds: string,
): TaskPrice {
  const taskNanos = toNanos(price.request ?? 0);
  const unitNanos = toNanos((kind === 'image' ? price.image : price.video_second) ?? 0);
  // Vendors bill full seconds, with a minimum of one.
  const units = kind === 'image' ? n : Math.max(1, Math.ceil(Number(seconds)));
  return { maxNanos: taskNanos + units * unitNanos, taskNanos, unitNanos };
}
