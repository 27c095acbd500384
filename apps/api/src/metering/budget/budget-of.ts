import { GatewayError, unavailableMessage } from '@sluice/canonical';
import { type Limiter, withSpending } from '@sluice/limits';
import type { CostEstimate } from '@sluice/protocols';
import type { ApiKey } from '../../auth/api-keys.ts';

/**
 * Returns the budget of a key and what is left of it. Undefined for a key without a budget.
 * @throws GatewayError `store_unavailable`
 */
export async function budgetOf(
  limiter: Pick<Limiter, 'spending'>,
  { name, budget }: Pick<ApiKey, 'name' | 'budget'>,
): Promise<CostEstimate['budget']> {
  if (!budget) return undefined;
  try {
    const { spending } = await withSpending(limiter, { name }, budget);
    return spending && { limit_usd: budget.usd, period: budget.period, ...spending };
  } catch (cause) {
    throw new GatewayError('store_unavailable', unavailableMessage('limit store'), { retryAfterMs: 1_000, cause });
  }
}
