import type { Usage } from '@sluice/canonical';
import type { ModelConfig } from '@sluice/config';
import { NANOS_PER_USD } from '@sluice/limits';
import type { Cost, PriceBook, PricedUse, PriceTarget } from '@sluice/prices';
import type { Metrics } from '@sluice/telemetry';
import { addLines } from '../ledger/add-outcomes.ts';
import type { RequestOutcome } from '../ledger/request-entry.ts';

/** Prices a request's usage at the upstream that served it. @param use undefined if nothing was used */
export function outcomeOf(
  prices: PriceBook,
  model: Pick<ModelConfig, 'price'> | undefined,
  target: PriceTarget | undefined,
  use: PricedUse | undefined,
): RequestOutcome {
  if (!use || !model || !target) return { use };
  const price = prices.priceOf(model, target);
  const cost = price?.costOf(use);
  return { use, target, cost, source: cost && price?.source };
}

/** Prices the usage of a response beyond the part that was charged before. */
export function lateOutcomeOf(
  prices: PriceBook,
  model: ModelConfig | undefined,
  target: PriceTarget,
  { usage, charged }: { usage: Usage; charged: Usage },
): RequestOutcome {
  const use = { usage: usageBeyond(usage, charged) };
  const total = outcomeOf(prices, model, target, { usage });
  const before = outcomeOf(prices, model, target, { usage: charged });
  if (!total.cost || !before.cost) return { use };
  return { use, cost: costBeyond(total.cost, before.cost), source: total.source };
}

function usageBeyond(total: Usage, before: Usage): Usage {
  const beyond: Usage = { inputTokens: 0, outputTokens: 0 };
  if (total.serviceTier !== undefined) beyond.serviceTier = total.serviceTier;
  for (const [name, tokens] of Object.entries(total)) {
    // The cast is safe because both objects have the same type.
    const part = name as keyof Usage;
    if (typeof tokens === 'number') Object.assign(beyond, { [part]: Math.max(0, tokens - Number(before[part] ?? 0)) });
  }
  return beyond;
}

/** Lines of parts that cost less than before are negative, so that the cost is the sum of its lines. */
function costBeyond(total: Cost, before: Cost): Cost {
  const nanos = Math.max(0, total.nanos - before.nanos);
  return { nanos, lines: nanos === 0 ? [] : addLines(total.lines, before.lines, -1) };
}

/** Counts a cost. Does nothing if the price is unknown. */
export function countCost(
  metrics: Pick<Metrics, 'cost'>,
  labels: { model: string; key: string; upstream: string },
  { use, cost }: RequestOutcome,
): void {
  if (use && cost) metrics.cost.inc(labels, cost.nanos / NANOS_PER_USD);
}
