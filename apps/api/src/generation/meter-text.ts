import { meterUsage } from '../metering/meter-usage.ts';
import { recordInterruption } from '../routing/record-interruption.ts';
import type { FallbackCall } from '../routing/create-fallback.ts';
import type { GenerationDeps } from './generation-deps.ts';
import type { OpenedResponse } from './request-completion.ts';
import type { Outcome } from './send-stream.ts';

export function meterText(
  { metrics, logger, fallback }: Pick<GenerationDeps, 'metrics' | 'logger' | 'fallback'>,
  { routed, isStreaming }: OpenedResponse,
  { usage, failed }: Outcome,
  { reply, signal }: FallbackCall,
): void {
  const { upstream } = routed.target;
  const { breakers } = fallback({ reply, signal });
  if (usage) meterUsage(metrics, upstream, usage);
  if (!failed) {
    // A buffered response was counted when it arrived.
    if (isStreaming) breakers.succeeded(upstream);
    return;
  }
  // A client that disconnected has itself ended the response.
  if (!signal.aborted) recordInterruption({ breakers, logger }, { upstream, request_id: reply.request.id }, failed);
}
