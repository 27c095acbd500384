import type { BudgetPeriod } from './limiter.ts';

/** What a client is told whose key's budget does not cover what it asks for. */
export function unpaidMessage(what: 'request' | 'task', period: BudgetPeriod | undefined): string {
  const hope = period === 'total' ? '' : ', or wait until it begins anew';
  return `The budget of this API key does not cover the ${what}. Have the budget raised${hope}.`;
}
