import type { Logger } from '@sluice/telemetry';
import type { AttemptFailure } from './attempt-error.ts';
import { failureTrace } from './failure-trace.ts';
import type { FallbackOptions } from './with-fallback.ts';

export interface EndedStream {
  upstream: string;
  requestId: string;
  /** Time of the upstream call, as returned by `performance.now()`. */
  startedAt: number;
}

export type StreamEnd = 'served' | 'disconnected' | Pick<AttemptFailure, 'error' | 'countsAsFailure' | 'isAlive'>;

/** Reports a stream's end to the circuit breaker and the metrics. Logs an interrupted stream. */
export function recordStreamEnd(
  {
    breakers,
    onStreamEnd,
    logger,
  }: Pick<FallbackOptions, 'breakers' | 'onStreamEnd'> & { logger: Pick<Logger, 'warn'> },
  { upstream, requestId, startedAt }: EndedStream,
  end: StreamEnd,
): void {
  const seconds = (performance.now() - startedAt) / 1_000;
  // The client disconnected, so the circuit breaker records no outcome.
  if (end === 'disconnected') return onStreamEnd?.(upstream, 'aborted', seconds);
  if (end === 'served') {
    breakers.succeeded(upstream);
    return onStreamEnd?.(upstream, 'served', seconds);
  }
  const { error, countsAsFailure, isAlive = false } = end;
  if (countsAsFailure) breakers.failed(upstream);
  else if (isAlive) breakers.succeeded(upstream);
  onStreamEnd?.(upstream, error.code, seconds);
  logger.warn({ err: failureTrace(error), upstream, request_id: requestId }, 'response interrupted');
}
