import { GatewayError } from '@sluice/canonical';
import { type BudgetBalance, overBudgetMessage } from '@sluice/limits';
import type { NewTask } from './task-requests.ts';

/** `Retry-After` for a client that has reached its open-task limit. */
const RETRY_MS = 5_000;

export function openTaskLimit({ allowance }: Pick<NewTask, 'allowance'>): GatewayError {
  const what = `Open-task limit reached: this key allows ${allowance?.openTasks} unfinished tasks.`;
  return new GatewayError('rate_limited', `${what} Retry when a task has ended.`, { retryAfterMs: RETRY_MS });
}

export function overBudget(
  { allowance, request, seconds }: Pick<NewTask, 'allowance' | 'seconds'> & { request: CountedRequest },
  maxNanos: number | undefined,
  balance: BudgetBalance,
): GatewayError {
  const { budget } = allowance ?? {};
  if (!budget || maxNanos === undefined) throw new Error('only a key with a budget is refused for it');
  const message = overBudgetMessage({
    cost: maxNanos,
    budget,
    balance,
    ...(request.kind === 'image'
      ? { units: countOf(request.n ?? 1, 'image'), remedy: 'Request fewer or cheaper images' }
      : { units: `${seconds} seconds of video`, remedy: 'Request a shorter video' }),
  });
  return new GatewayError('insufficient_quota', message);
}

interface CountedRequest {
  kind: NewTask['request']['kind'];
  n?: number;
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
