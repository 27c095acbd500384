import { type MediaRequest, splitAccount } from '@sluice/canonical';
import { NANOS_PER_USD, toNanos } from '@sluice/limits';
import type { CostEstimate } from '@sluice/protocols';
import { requestedNanos, type TaskPrice } from '@sluice/tasks';
import { budgetOf } from '../metering/budget/budget-of.ts';
import { targetsWithin } from './max-cost.ts';
import type { MediaDeps } from './media-deps.ts';
import { type Choice, prepareTask, reportLosses, type TaskCreation } from './prepare-task.ts';
import { readForm } from './read-form.ts';
import { UNSTORED } from './unstored-content.ts';

/**
 * Estimates the cost of a task. The request is validated in the same way as a creation, but nothing is recorded, stored,
 * or charged. The budget and `max_cost_usd` do not refuse it.
 * @throws GatewayError
 */
export async function estimateTask<R extends MediaRequest, W = R>(
  deps: MediaDeps,
  call: TaskCreation<R, W>,
): Promise<CostEstimate> {
  const form = await readForm(call.request, UNSTORED, deps.limits, call.fileFields);
  const prepared = await prepareTask(deps, call, form);
  const { creation, choice, maxCostUsd } = prepared;
  await deps.charges.reserve(creation, {});
  reportLosses(prepared);
  const within = maxCostUsd === undefined ? choice.targets : targetsWithin(choice, maxCostUsd);
  const isTooExpensive = within.length === 0;
  const targets = isTooExpensive ? choice.targets : within;
  const budget = await budgetOf(deps.limiter, creation.apiKey);
  const costs = targets.flatMap(({ price }) => (price ? [requestedNanos(price, choice.units)] : []));
  const reserved = budget && costs.length > 0 ? Math.max(...costs) : undefined;
  const isOverBudget =
    budget && reserved !== undefined && (budget.remaining_usd <= 0 || reserved > toNanos(budget.remaining_usd));
  return {
    object: 'cost_estimate',
    ...estimateAt(choice, targets),
    ...(reserved !== undefined && { reserved_usd: reserved / NANOS_PER_USD }),
    ...(budget && { budget }),
    exceeds: [...(isOverBudget ? ['budget' as const] : []), ...(isTooExpensive ? ['max_cost_usd' as const] : [])],
  };
}

type Estimate = Omit<CostEstimate, 'object' | 'reserved_usd' | 'budget' | 'exceeds'>;

/** The cost at the first target, which receives the task unless it refuses it. */
function estimateAt({ model, units, kind }: Choice, [first]: Choice['targets']): Estimate {
  if (!first) throw new Error('a reviewed request has at least one target');
  const { model: upstreamModel, price } = first;
  const { upstream } = splitAccount(first.upstream);
  const target = { model, upstream, upstream_model: upstreamModel };
  if (!price) return { ...target, cost_usd: null, unpriced: true, lines: [] };
  return {
    ...target,
    cost_usd: requestedNanos(price, units) / NANOS_PER_USD,
    lines: linesOf(price, kind === 'image' ? 'images' : 'video_seconds', units),
    // The cast is safe because `taskPrice` writes the source.
    price_source: JSON.parse(price.source) as NonNullable<CostEstimate['price_source']>,
  };
}

function linesOf({ taskNanos, unitNanos }: TaskPrice, unit: string, units: number): CostEstimate['lines'] {
  const lines = [
    { unit, quantity: units, cost_usd: (units * unitNanos) / NANOS_PER_USD },
    { unit: 'requests', quantity: 1, cost_usd: taskNanos / NANOS_PER_USD },
  ];
  return lines.filter((line) => line.cost_usd > 0);
}
