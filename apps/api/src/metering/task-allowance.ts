import { toNanos } from '@sluice/limits';
import type { TaskAllowance } from '@sluice/tasks';
import type { ApiKey } from '../auth/api-keys.ts';

/** @returns undefined for a key without limits */
export function taskAllowance({ limits, budget }: Pick<ApiKey, 'limits' | 'budget'>): TaskAllowance | undefined {
  if (!limits && !budget) return undefined;
  return {
    openTasks: limits?.open_tasks,
    concurrentTasks: limits?.concurrent_tasks,
    ...(budget && { budget: { nanos: toNanos(budget.usd), period: budget.period } }),
  };
}
