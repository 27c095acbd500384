import type { Usage } from '@sluice/canonical';
import type { Metrics } from '@sluice/telemetry';
import type { FastifyRequest } from 'fastify';
import { configuredNames } from './count-client-request.ts';

/** Counts the tokens that an upstream reported. */
export function meterUsage(
  metrics: Pick<Metrics, 'textTokens' | 'tokens' | 'cachedInputTokens'>,
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

/** A counter must never decrease. */
function countOf(tokens = 0): number {
  return Number.isSafeInteger(tokens) && tokens > 0 ? tokens : 0;
}
