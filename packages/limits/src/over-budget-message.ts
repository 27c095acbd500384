import type { BudgetBalance, BudgetPeriod } from './limiter.ts';
import { formatUsd } from './nanos.ts';

export interface OverBudget {
  /** The request's maximum cost in nano-dollars. */
  cost: number;
  budget: { nanos: number; period: BudgetPeriod };
  balance: BudgetBalance;
  /** The units from which the cost is calculated (e.g. `4,096 output tokens`). */
  units?: string | undefined;
  /** How the client can lower the cost. */
  remedy: string;
}

const PERIODS: Readonly<Record<BudgetPeriod, string>> = { day: 'daily', month: 'monthly', total: 'total' };

/** Builds the error message for a request or task that the key's budget does not cover. */
export function overBudgetMessage({ cost, budget, balance, units, remedy }: OverBudget): string {
  const { nanos, period } = budget;
  const { remaining, reserved } = balance;
  const spent = nanos - remaining - reserved;
  const state = `${formatUsd(spent)} spent, ${formatUsd(reserved)} reserved for unfinished requests`;
  const name = `the ${formatUsd(nanos)} ${PERIODS[period]} budget of this API key`;
  if (remaining <= 0) {
    const wait = period === 'total' ? '' : ' or wait until it resets';
    return `Nothing is left of ${name} (${state}). Ask the operator to raise the budget${wait}.`;
  }
  const what = `The request may cost up to ${formatUsd(cost)}${units === undefined ? '' : ` (${units})`}`;
  const left = `but only ${formatUsd(remaining)} of ${name} is left (${state})`;
  const raise = 'ask the operator to raise the budget';
  return `${what}, ${left}. ${remedy}, ${period === 'total' ? `or ${raise}` : `${raise}, or wait until it resets`}.`;
}
