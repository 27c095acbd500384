import type { Usage } from '@sluice/canonical';
import { classifyReported } from '../routing/attempt-error.ts';
import type { Outcome } from './respond-to-client.ts';
import { failureTrace } from '../routing/failure-trace.ts';
import type { OpenedResponse } from './request-completion.ts';
import type { GenerationDeps } from './text-services.ts';
import type { TextContext } from './text-context.ts';

/** Counts an answer that is over, and tells the breaker how it ended. */
export function meterText(
  deps: GenerationDeps,
  { routed, isStreaming }: OpenedResponse,
  { usage, failed }: Outcome,
  { signal }: TextContext,
): void {
  const { upstream } = routed.target;
  const { breakers, logger } = deps;
  if (usage) meterUsage(deps, upstream, usage);
  if (!failed) {
    // A whole answer was counted when it came.
    if (isStreaming) breakers.succeeded(upstream);
    return;
  }
  // A client that left has ended the answer itself.
  if (signal.aborted) return;
  const { countsAsFailure, isAlive } = classifyReported(failed);
  if (countsAsFailure) breakers.failed(upstream);
  else if (isAlive) breakers.succeeded(upstream);
  logger.warn({ err: failureTrace(failed), upstream }, 'an answer broke off');
}

/** Counts the tokens that an upstream told. Never throws: an answer that is there goes out, whatever is told of its cost. */
export function meterUsage({ metrics }: Pick<GenerationDeps, 'metrics'>, upstream: string, usage: Usage): void {
  metrics.textTokens.inc({ upstream, direction: 'input' }, countOf(usage.inputTokens));
  metrics.textTokens.inc({ upstream, direction: 'output' }, countOf(usage.outputTokens));
}

/** A counter can only grow. */
function countOf(tokens: number): number {
  return Number.isSafeInteger(tokens) && tokens > 0 ? tokens : 0;
}
