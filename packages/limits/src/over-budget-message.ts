import type { BudgetPeriod } from './limiter.ts';

/** The error message for a request or task that the key's budget does not cover. */
export function overBudgetMessage(what: 'request' | 'task', period: BudgetPeriod | undefined): string {
  const alternative = period === 'total' ? '' : ', or wait until it resets';
  return `The budget of this API key does not cover the ${what}. Ask the operator to raise the budget${alternative}.`;
}
