import { GatewayError } from '@sluice/canonical';
import type { NewTask } from './task-engine.ts';

/** When it is worth while to look whether a task has ended. */
const RETRY_MS = 5_000;

/** What a client is told whose task was not recorded because of what its key may have. */
export function refusedAdmission(why: 'full' | 'unpaid', { allowance }: Pick<NewTask, 'allowance'>): GatewayError {
  if (why === 'unpaid') {
    const what = 'The budget of this API key does not cover the task.';
    const hope = allowance?.budget?.period === 'total' ? '.' : ', or wait until it begins anew.';
    return new GatewayError('insufficient_quota', `${what} Have the budget raised${hope}`);
  }
  const what = `This API key may have ${allowance?.openTasks} unfinished videos and images, and has them.`;
  return new GatewayError('rate_limited', `${what} Try again when one has ended.`, { retryAfterMs: RETRY_MS });
}
