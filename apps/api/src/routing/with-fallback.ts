import { type ErrorCode, GatewayError, GATEWAY_MESSAGES } from '@sluice/canonical';
import type { AttemptTrace } from '@sluice/telemetry';
import { AttemptError } from './attempt-error.ts';
import type { CircuitBreakers } from './circuit-breaker.ts';
import { failureTrace } from './failure-trace.ts';

export interface AttemptTarget {
  upstream: string;
  model?: string;
  /** The protocol of a text upstream. */
  protocol?: string;
}

/** `ms` is the duration of the attempt in milliseconds. For a stream, it ends at the first event. */
export type AttemptOutcome =
  | { result: 'served'; ms: number; isStreaming: boolean }
  | { result: 'failed'; ms: number; failure: AttemptError }
  | { result: 'aborted'; ms: number }
  | { result: 'circuit_open' };

export interface FallbackOptions {
  breakers: CircuitBreakers;
  signal: AbortSignal;
  /** Starts the span of an attempt. Absent if the request is not traced. */
  startTrace?: ((target: AttemptTarget) => AttemptTrace) | undefined;
  /** Called after each attempt, and for each target skipped because of an open circuit. */
  onAttempt?: (target: AttemptTarget, outcome: AttemptOutcome) => void;
  /** Called when a stream that was reported as served ends. @param result `served`, `aborted`, or an error code */
  onStreamEnd?: (upstream: string, result: string, seconds: number) => void;
}

export interface AttemptResult {
  /** If true, the response is still streaming, and its reader reports the outcome to the circuit breaker. */
  isStreaming?: boolean;
}

/**
 * Tries targets in order until one returns a response. Skips targets with an open circuit.
 * @param attempt throws {@link AttemptError} for errors that allow a fallback or affect the circuit breaker; any other
 *   error is rethrown immediately. Must not modify shared state; tests freeze it
 * @throws GatewayError the first error that allows no fallback, or else the most helpful one; `no_upstream` if all
 *   circuits are open
 */
export async function withFallback<T extends { target: AttemptTarget }, R>(
  targets: readonly T[],
  attempt: (target: T, trace: AttemptTrace | undefined) => Promise<R>,
  { breakers, signal, startTrace, onAttempt }: FallbackOptions,
): Promise<R> {
  let best: GatewayError | undefined;
  let minRetryAfterMs = Number.POSITIVE_INFINITY;
  for (const target of targets) {
    signal.throwIfAborted();
    const { upstream } = target.target;
    const admitted = breakers.admit(upstream);
    if (admitted !== 'yes') {
      minRetryAfterMs = Math.min(minRetryAfterMs, admitted.retryAfterMs);
      onAttempt?.(target.target, { result: 'circuit_open' });
      continue;
    }
    const startedAt = performance.now();
    const trace = startTrace?.(target.target);
    const elapsedMs = (): number => Math.round(performance.now() - startedAt);
    try {
      const result = await attempt(target, trace);
      const isStream = isStreaming(result);
      // The span of a stream ends with the stream.
      if (isStream) trace?.responded();
      else trace?.end();
      onAttempt?.(target.target, { result: 'served', ms: elapsedMs(), isStreaming: isStream });
      if (isStream) breakers.started(upstream);
      else breakers.succeeded(upstream);
      return result;
    } catch (error) {
      // After a disconnect, the abort itself causes errors.
      if (signal.aborted || !(error instanceof AttemptError)) {
        breakers.abandoned(upstream);
        trace?.end({ type: 'aborted' });
        onAttempt?.(target.target, { result: 'aborted', ms: elapsedMs() });
        throw error instanceof AttemptError ? error.error : error;
      }
      if (trace) endFailed(trace, error);
      onAttempt?.(target.target, { result: 'failed', ms: elapsedMs(), failure: error });
      if (error.countsAsFailure) breakers.failed(upstream);
      else if (error.isAlive) breakers.succeeded(upstream);
      else breakers.abandoned(upstream);
      if (!error.mayRetry) throw error.error;
      if (best === undefined || rankOf(error.error) >= rankOf(best)) best = error.error;
    }
  }
  throw best ?? noUpstream(minRetryAfterMs);
}

/** An upstream that was not called has no span. */
function endFailed(trace: AttemptTrace, { error, source }: AttemptError): void {
  if (source !== 'not-sent') trace.end({ type: error.code, status: failureTrace(error).upstream_status });
}

function isStreaming(result: unknown): boolean {
  return typeof result === 'object' && result !== null && 'isStreaming' in result && result.isStreaming === true;
}

/**
 * Ranks errors by how helpful they are to the client: first a retry time, then a retryable failure, then a cause, and
 * last an error of the gateway's vendor account.
 */
const ERROR_RANK: Partial<Record<ErrorCode, number>> = {
  rate_limited: 5,
  provider_overloaded: 4,
  deadline_exceeded: 3,
  provider_auth: 0,
  provider_quota: 0,
};

function rankOf({ code, status }: GatewayError): number {
  return ERROR_RANK[code] ?? (status >= 500 ? 2 : 1);
}

function noUpstream(minRetryAfterMs: number): GatewayError {
  if (!Number.isFinite(minRetryAfterMs)) return new GatewayError('no_upstream', GATEWAY_MESSAGES.noUpstream);
  return new GatewayError(
    'no_upstream',
    `All upstreams for this model are unavailable (circuit open). Retry in ${Math.ceil(minRetryAfterMs / 1_000)} s.`,
    { retryAfterMs: minRetryAfterMs },
  );
}
