import { GatewayError } from '@sluice/canonical';
import { unpaidMessage } from '@sluice/limits';
import type { NewTask } from './task-requests.ts';

/** When it is worth while to look whether a task has ended. */
const RETRY_MS = 5_000;

/** What a client is told whose task was not recorded because of what its key may have. */
export function refusedAdmission(why: 'full' | 'unpaid', { allowance }: Pick<NewTask, 'allowance'>): GatewayError {
  if (why === 'unpaid') {
    return new GatewayError('insufficient_quota', unpaidMessage('task', allowance?.budget?.period));
  }
  const what = `This API key may have ${allowance?.openTasks} unfinished videos and images, and has them.`;
  return new GatewayError('rate_limited', `${what} Try again when one has ended.`, { retryAfterMs: RETRY_MS });
}
