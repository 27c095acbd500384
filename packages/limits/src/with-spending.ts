import type { BudgetPeriod, Limiter, Spending } from './limiter.ts';
import { NANOS_PER_USD, toNanos } from './nanos.ts';

interface Budget {
  usd: number;
  period: BudgetPeriod;
}

/** The spending of a key with a budget, in US dollars. */
export interface ShownSpending {
  spent_usd: number;
  reserved_usd: number;
  /** Maximum cost of the next request. */
  remaining_usd: number;
  /** Start of the next period in Unix seconds. Undefined for a budget without a period. */
  resets_at?: number;
}

/** @throws the error from Redis */
export async function withSpending<Key extends { name: string }>(
  limiter: Pick<Limiter, 'spending'>,
  key: Key,
  budget: Budget | undefined,
): Promise<Key & { spending?: ShownSpending }> {
  return budget ? { ...key, spending: showSpending(budget, await limiter.spending(key.name)) } : key;
}

function showSpending({ usd, period }: Budget, spending: Spending): ShownSpending {
  const spent = spending[period];
  const resetsAt = endOf(period, spending.at);
  return {
    spent_usd: spent / NANOS_PER_USD,
    reserved_usd: spending.reserved / NANOS_PER_USD,
    remaining_usd: Math.max(0, toNanos(usd) - spent - spending.reserved) / NANOS_PER_USD,
    ...(resetsAt !== undefined && { resets_at: resetsAt / 1_000 }),
  };
}

/** Returns the end of the period that contains `at`, in Unix milliseconds. */
function endOf(period: BudgetPeriod, at: number): number | undefined {
  if (period === 'total') return undefined;
  const date = new Date(at);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return period === 'month' ? Date.UTC(year, month + 1) : Date.UTC(year, month, date.getUTCDate() + 1);
}
