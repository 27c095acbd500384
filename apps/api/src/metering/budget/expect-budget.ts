import { GatewayError } from '@sluice/canonical';
import { type Limiter, overBudgetMessage, toNanos } from '@sluice/limits';
import type { ApiKey } from '../../auth/api-keys.ts';
import { budgetOf } from './budget-of.ts';

/**
 * Refuses work if nothing is left of the key's budget, or less than its maximum cost.
 * @param work by default, its cost is not known yet
 * @throws GatewayError `insufficient_quota`
 */
export async function expectBudget(
  limiter: Pick<Limiter, 'spending'>,
  apiKey: ApiKey,
  { nanos, remedy } = { nanos: 0, remedy: '' },
): Promise<void> {
  const budget = await budgetOf(limiter, apiKey);
  if (!budget) return;
  const remaining = Math.max(0, toNanos(budget.remaining_usd));
  if (remaining > 0 && nanos <= remaining) return;
  const { limit_usd, period, reserved_usd } = budget;
  const balance = { remaining, reserved: toNanos(reserved_usd) };
  const limit = { nanos: toNanos(limit_usd), period };
  const message = overBudgetMessage({ cost: nanos, budget: limit, balance, remedy });
  throw new GatewayError('insufficient_quota', message);
}
