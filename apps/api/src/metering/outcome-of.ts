import type { ModelConfig } from '@sluice/config';
import { NANOS_PER_USD } from '@sluice/limits';
import type { PriceBook, PricedUse, PriceTarget } from '@sluice/prices';
import type { Metrics } from '@sluice/telemetry';
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

/** Counts a cost. Does nothing if the price is unknown. */
export function countCost(
  metrics: Pick<Metrics, 'cost'>,
  labels: { model: string; key: string; upstream: string },
  { use, cost }: RequestOutcome,
): void {
  if (use && cost) metrics.cost.inc(labels, cost.nanos / NANOS_PER_USD);
}
