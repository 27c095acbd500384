import type { FastifyRequest } from 'fastify';
import { configuredNames } from '../metering/count-client-request.ts';
import { meterUsage } from '../metering/meter-usage.ts';
import { classifyReported } from '../routing/attempt-error.ts';
import type { FallbackCall } from '../routing/create-fallback.ts';
import { recordStreamEnd } from '../routing/record-stream-end.ts';
import type { GenerationDeps } from './generation-deps.ts';
import type { OpenedResponse } from './request-completion.ts';
import type { Outcome } from './send-stream.ts';

/** Records the usage of a response that has ended. For a stream, also records its rate, its span, and its outcome. */
export function meterText(
  { metrics, logger, fallback }: Pick<GenerationDeps, 'metrics' | 'logger' | 'fallback'>,
  { routed, isStreaming, startedAt, trace }: OpenedResponse,
  { usage, failed }: Outcome,
  { reply, signal }: FallbackCall,
): void {
  const { request } = reply;
  const { upstream } = routed.target;
  meterUsage(metrics, request, upstream, usage);
  if (failed) request.errorCode = failed.code;
  // A buffered response was already recorded when it arrived.
  if (!isStreaming) return;
  observeRate(metrics, request, upstream, { usage, failed, seconds: (performance.now() - startedAt) / 1_000 });
  const failure = failed && (signal.aborted ? 'disconnected' : classifyReported(failed));
  trace?.set({ usage });
  trace?.end(failed && { type: signal.aborted ? 'aborted' : failed.code });
  const options = { ...fallback({ reply, signal }), logger };
  recordStreamEnd(options, { upstream, requestId: request.id, startedAt }, failure ?? 'served');
}

/** Only complete streams count, because the time after an interruption is unknown. */
function observeRate(
  metrics: Pick<GenerationDeps['metrics'], 'outputRate'>,
  request: FastifyRequest,
  upstream: string,
  { usage, failed, seconds }: Outcome & { seconds: number },
): void {
  const firstEventMs = request.attempts?.findLast(({ result }) => result === 'served')?.ms;
  if (failed || !usage?.outputTokens || firstEventMs === undefined) return;
  const streamed = seconds - firstEventMs / 1_000;
  if (streamed <= 0) return;
  metrics.outputRate.observe({ upstream, model: configuredNames(request).model }, usage.outputTokens / streamed);
}
