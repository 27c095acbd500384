import { NANOS_PER_USD } from '@sluice/limits';
import type { Metrics } from '@sluice/telemetry';
import type { FastifyRequest } from 'fastify';
import { configuredNames } from './count-client-request.ts';
import { nanosOf, type PricedUse } from './price.ts';

/**
 * Counts the tokens and the cost of a served response. If the upstream reports no usage, only the price per request is
 * counted.
 */
export function meterUsage(
  metrics: Pick<Metrics, 'textTokens' | 'tokens' | 'cachedInputTokens' | 'cost'>,
  request: Pick<FastifyRequest, 'apiKey' | 'configuredModel'>,
  upstream: string,
  use: PricedUse,
): void {
  const labels = { ...configuredNames(request), upstream };
  const { usage } = use;
  if (usage) {
    const [input, output] = [countOf(usage.inputTokens), countOf(usage.outputTokens)];
    metrics.textTokens.inc({ upstream, direction: 'input' }, input);
    metrics.textTokens.inc({ upstream, direction: 'output' }, output);
    metrics.tokens.inc({ ...labels, direction: 'input' }, input);
    metrics.tokens.inc({ ...labels, direction: 'output' }, output);
    metrics.cachedInputTokens.inc(labels, countOf(usage.cachedTokens));
  }
  const price = request.configuredModel?.price;
  if (price) metrics.cost.inc(labels, nanosOf(price, use) / NANOS_PER_USD);
}

/** A counter must never decrease. */
function countOf(tokens = 0): number {
  return Number.isSafeInteger(tokens) && tokens > 0 ? tokens : 0;
}
