import { meterUsage } from '../metering/meter-usage.ts';
import { classifyReported } from '../routing/attempt-error.ts';
import type { FallbackCall } from '../routing/create-fallback.ts';
import { recordStreamEnd } from '../routing/record-stream-end.ts';
import type { GenerationDeps } from './generation-deps.ts';
import type { OpenedResponse } from './request-completion.ts';
import type { Outcome } from './send-stream.ts';

export function meterText(
  { metrics, logger, fallback }: Pick<GenerationDeps, 'metrics' | 'logger' | 'fallback'>,
  { routed, isStreaming, startedAt }: OpenedResponse,
  { usage, failed }: Outcome,
  { reply, signal }: FallbackCall,
): void {
  const { request } = reply;
  const { upstream } = routed.target;
  meterUsage(metrics, request, upstream, { usage });
  // A buffered response was already recorded when it arrived.
  if (!isStreaming) return;
  const failure = failed && (signal.aborted ? 'disconnected' : classifyReported(failed));
  const options = { ...fallback({ reply, signal }), logger };
  recordStreamEnd(options, { upstream, requestId: request.id, startedAt }, failure ?? 'served');
}
