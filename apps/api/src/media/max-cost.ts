import { GatewayError } from '@sluice/canonical';
import { formatUsd, toNanos } from '@sluice/limits';
import { requestedNanos, type TaskTarget } from '@sluice/tasks';
import type { Choice } from './prepare-task.ts';

type Costs = Pick<Choice, 'model' | 'targets' | 'units'>;

/** Returns the targets at which the task costs at most the client's limit, as far as the request determines its cost. */
export function targetsWithin({ targets, units }: Costs, maxCostUsd: number): TaskTarget[] {
  const maxNanos = toNanos(maxCostUsd);
  return targets.filter(({ price }) => price && requestedNanos(price, units) <= maxNanos);
}

/**
 * Removes the targets at which the task could cost more than the client's limit, or whose price is unknown.
 * @throws GatewayError `invalid_request` if no target is left
 */
export function enforceMaxCost(choice: Costs, maxCostUsd: number | undefined): TaskTarget[] {
  if (maxCostUsd === undefined) return choice.targets;
  const within = targetsWithin(choice, maxCostUsd);
  if (within.length > 0) return within;
  const costs = choice.targets.flatMap(({ price }) => (price ? [requestedNanos(price, choice.units)] : []));
  const param = 'max_cost_usd';
  if (costs.length === 0) {
    const what = `The cost of model \`${choice.model}\` is unknown, so max_cost_usd cannot be guaranteed.`;
    throw new GatewayError('invalid_request', `${what} Remove it, or ask the operator to configure a price.`, {
      param,
    });
  }
  const cost = formatUsd(Math.min(...costs));
  const what = `The task may cost ${cost}, but max_cost_usd allows ${formatUsd(toNanos(maxCostUsd))}.`;
  throw new GatewayError('invalid_request', `${what} Raise it, or send a cheaper request.`, { param });
}
