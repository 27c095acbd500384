import { accountName, type Usage } from '@sluice/canonical';
import type { Credentials } from '@sluice/limits';
import type { Metrics } from '@sluice/telemetry';
import type { FastifyRequest } from 'fastify';
import type { RequestOutcome } from '../ledger/request-entry.ts';
import type { CalledTarget } from './charge.ts';
import { configuredNames } from './count-client-request.ts';
import { countCost } from './outcome-of.ts';

export type TokenMetrics = Pick<Metrics, 'textTokens' | 'tokens' | 'cachedInputTokens'>;

/** Counts the tokens that an upstream reported. */
export function meterUsage(
  metrics: TokenMetrics,
  request: Pick<FastifyRequest, 'apiKey' | 'configuredModel'>,
  upstream: string,
  usage: Usage | undefined,
): void {
  const labels = { ...configuredNames(request), upstream };
  if (usage) {
    const [input, output] = [countOf(usage.inputTokens), countOf(usage.outputTokens)];
    metrics.textTokens.inc({ upstream, direction: 'input' }, input);
    metrics.textTokens.inc({ upstream, direction: 'output' }, output);
    metrics.tokens.inc({ ...labels, direction: 'input' }, input);
    metrics.tokens.inc({ ...labels, direction: 'output' }, output);
    metrics.cachedInputTokens.inc(labels, countOf(usage.cachedTokens));
  }
}

/** Counts the cost of a request, also towards the budget of its credential, and the tokens of a vendor's result. */
export function countUse(
  { metrics, credentials }: { metrics: TokenMetrics & Pick<Metrics, 'cost'>; credentials?: Pick<Credentials, 'spend'> },
  request: FastifyRequest,
  called: CalledTarget | undefined,
  outcome: RequestOutcome,
): void {
  const { served, apiKey } = request;
  countCost(metrics, { ...configuredNames(request), upstream: served?.upstream ?? 'none' }, outcome);
  if (served && apiKey?.vendorLine) meterUsage(metrics, request, served.upstream, served.usage());
  const target = served ?? called;
  if (target?.credential !== undefined && outcome.cost) credentials?.spend(accountName(target), outcome.cost.nanos);
}

/** A counter must never decrease. */
function countOf(tokens = 0): number {
  return Number.isSafeInteger(tokens) && tokens > 0 ? tokens : 0;
}
