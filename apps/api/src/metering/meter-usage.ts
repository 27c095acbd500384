import type { Usage } from '@sluice/canonical';
import type { Metrics } from '@sluice/telemetry';

export function meterUsage(metrics: Pick<Metrics, 'textTokens'>, upstream: string, usage: Usage): void {
  metrics.textTokens.inc({ upstream, direction: 'input' }, countOf(usage.inputTokens));
  metrics.textTokens.inc({ upstream, direction: 'output' }, countOf(usage.outputTokens));
}

/** A counter can only grow. */
function countOf(tokens: number): number {
  return Number.isSafeInteger(tokens) && tokens > 0 ? tokens : 0;
}
