import type { BudgetPeriod, Limiter, Spending } from './limiter.ts';
import { NANOS_PER_USD, toNanos } from './nanos.ts';

/** What a key may spend: US dollars in each period. */
interface Budget {
  usd: number;
  period: BudgetPeriod;
}

/** What has become of a key's budget, as operators see it, in US dollars. */
export interface ShownSpending {
  /** In the present period. */
  spent_usd: number;
  /** Held for requests and tasks that are under way. */
  reserved_usd: number;
  /** What the next request may cost at most. */
  remaining_usd: number;
  /** When the next period begins, Unix seconds; absent: the budget is for good. */
  resets_at?: number;
}

/**
 * Adds to a key what has become of its budget; one without a budget stays as it is.
 * @throws what Redis fails with
 */
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
    reserved_usd: spending.held / NANOS_PER_USD,
    remaining_usd: Math.max(0, toNanos(usd) - spent - spending.held) / NANOS_PER_USD,
    ...(resetsAt !== undefined && { resets_at: resetsAt / 1_000 }),
  };
}

/** When the period ends that a time lies in, Unix milliseconds. */
function endOf(period: BudgetPeriod, at: number): number | undefined {
  if (period === 'total') return undefined;
  const date = new Date(at);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return period === 'month' ? Date.UTC(year, month + 1) : Date.UTC(year, month, date.getUTCDate() + 1);
}
