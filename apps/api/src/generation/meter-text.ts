import { meterUsage } from '../metering/meter-usage.ts';
import { recordInterruption } from '../routing/record-interruption.ts';
import type { GenerationDeps } from './generation-deps.ts';
import type { OpenedResponse } from './request-completion.ts';
import type { Outcome } from './send-stream.ts';

/** @param signal of the client */
export function meterText(
  { metrics, logger, fallback }: Pick<GenerationDeps, 'metrics' | 'logger' | 'fallback'>,
  { routed, isStreaming }: OpenedResponse,
  { usage, failed }: Outcome,
  signal: AbortSignal,
): void {
  const { upstream } = routed.target;
  const { breakers } = fallback(signal);
  if (usage) meterUsage(metrics, upstream, usage);
  if (!failed) {
    // A buffered response was counted when it arrived.
    if (isStreaming) breakers.succeeded(upstream);
    return;
  }
  // A client that disconnected has itself ended the response.
  if (!signal.aborted) recordInterruption({ breakers, logger }, { upstream }, failed);
}
