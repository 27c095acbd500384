import { GatewayError } from '@sluice/canonical';
import { overBudgetMessage } from '@sluice/limits';
import type { NewTask } from './task-requests.ts';

/** `Retry-After` for a client at its open-task limit. */
const RETRY_MS = 5_000;

/** The error for a task that exceeds its owner's limits. */
export function refusedAdmission(
  reason: 'open_task_limit' | 'over_budget',
  { allowance }: Pick<NewTask, 'allowance'>,
): GatewayError {
  if (reason === 'over_budget') {
    return new GatewayError('insufficient_quota', overBudgetMessage('task', allowance?.budget?.period));
  }
  const what = `Open-task limit reached: this key allows ${allowance?.openTasks} unfinished tasks.`;
  return new GatewayError('rate_limited', `${what} Retry when a task has ended.`, { retryAfterMs: RETRY_MS });
}
