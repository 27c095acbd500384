import { type ErrorCode, GatewayError, GATEWAY_MESSAGES } from '@sluice/canonical';
import type { Credential, CredentialUse } from '@sluice/limits';
import type { AttemptTrace } from '@sluice/telemetry';
import { AttemptError } from './attempt-error.ts';
import type { CircuitBreakers } from './circuit-breaker.ts';
import { failureTrace } from './failure-trace.ts';
import { isOfCredential, restAfter } from './pools/rest-after.ts';

export interface AttemptTarget {
  upstream: string;
  /** The credential of the upstream's pool. */
  credential?: string | undefined;
  model?: string;
  /** The protocol of a text upstream. */
  protocol?: string;
}

/** `ms` is the duration of the attempt in milliseconds. For a stream, it ends at the first event. */
export type AttemptOutcome =
  | { result: 'served'; ms: number; isStreaming: boolean }
  | { result: 'failed'; ms: number; failure: AttemptError }
  | { result: 'aborted'; ms: number }
  /** Another call of a hedged request responded first. */
  | { result: 'hedged'; ms: number }
  | { result: 'circuit_open' }
  /** The retry budget is spent, so the target was not called. */
  | { result: 'retry_budget' }
  /** The pool's credentials rest or are at their limits. */
  | { result: 'no_credential' };

export interface FallbackOptions {
  breakers: CircuitBreakers;
  signal: AbortSignal;
  /** Starts the span of an attempt. Absent if the request is not traced. */
  startTrace?: ((target: AttemptTarget) => AttemptTrace) | undefined;
  /** Counts a request's first call towards the retry budget. */
  onFirstCall?: () => void;
  /** Whether the retry budget allows another call after a failure of an upstream. Spends it. */
  mayRetry?: () => boolean;
  /** Called after each attempt, and for each target skipped because of an open circuit. */
  onAttempt?: (target: AttemptTarget, outcome: AttemptOutcome) => void;
  /** Called when a stream that was reported as served ends. @param result `served`, `aborted`, or an error code */
  onStreamEnd?: (upstream: string, result: string, seconds: number) => void;
  /** Estimates the request's tokens, for the limits of credentials. */
  tokens?: () => number;
  /** Called with the use of the credential that serves the request. It ends with the response. */
  onUse?: (use: CredentialUse) => void;
}

export interface AttemptResult {
  /** If true, the response is still streaming, and its reader reports the outcome to the circuit breaker. */
  isStreaming?: boolean;
}

export interface FallbackTarget {
  target: AttemptTarget;
  pooled?: Credential | undefined;
}

/**
 * Tries targets in order until one returns a response. Skips targets with an open circuit, and credentials that rest or
 * are at their limits. After a refusal of one credential, the others of its upstream are tried. After a failure of the
 * upstream itself, they are not.
 * @param attempt throws {@link AttemptError} for errors that allow a fallback or affect the circuit breaker; any other
 *   error is rethrown immediately. Must not modify shared state; tests freeze it
 * @param claim whether a target may be called, if several sequences of attempts share the targets
 * @throws GatewayError the first error that allows no fallback, or else the most helpful one; `rate_limited` or
 *   `no_upstream` if no target could be called
 */
export async function withFallback<T extends FallbackTarget, R>(
  targets: readonly T[],
  attempt: (target: T, trace: AttemptTrace | undefined) => Promise<R>,
  options: FallbackOptions,
  claim?: (target: T) => boolean,
): Promise<R> {
  const { breakers, signal, startTrace, onAttempt } = options;
  const skipped: SkippedMs = {};
  let best: GatewayError | undefined;
  let failed: AttemptTarget | undefined;
  let isFirst = true;
  /** Whether the next call would repeat the load of a call that an upstream failed. */
  let isRetry = false;
  for (const [index, target] of targets.entries()) {
    signal.throwIfAborted();
    if (failed && isSameRoute(failed, target.target)) continue;
    if (claim?.(target) === false) continue;
    const admitted = admit(target, options, skipped);
    if (admitted === 'skipped') {
      // Once for the whole pool.
      const next = targets[index + 1];
      if (!next || !isSameRoute(next.target, target.target)) onAttempt?.(target.target, skippedBy(target, breakers));
      continue;
    }
    if (isRetry && options.mayRetry?.() === false) {
      release(target, breakers, admitted.use);
      onAttempt?.(target.target, { result: 'retry_budget' });
      break;
    }
    if (isFirst) options.onFirstCall?.();
    isFirst = false;
    const startedAt = performance.now();
    const trace = startTrace?.(target.target);
    const elapsedMs = (): number => Math.round(performance.now() - startedAt);
    try {
      const result = await attempt(target, trace);
      served(target, options, { isStream: isStreaming(result), ms: elapsedMs(), trace, use: admitted.use });
      return result;
    } catch (error) {
      admitted.use?.end();
      // After a disconnect, the abort itself causes errors.
      if (signal.aborted || !(error instanceof AttemptError)) {
        breakers.abandoned(target.target.upstream);
        trace?.end({ type: 'aborted' });
        onAttempt?.(target.target, { result: 'aborted', ms: elapsedMs() });
        throw error instanceof AttemptError ? error.error : error;
      }
      if (trace) endFailed(trace, error);
      onAttempt?.(target.target, { result: 'failed', ms: elapsedMs(), failure: error });
      recordFailure(target, breakers, error);
      isRetry = error.source === 'upstream' && !isOfCredential(error.error);
      if (!error.mayRetry) throw error.error;
      if (target.pooled && !isOfCredential(error.error)) failed = target.target;
      if (best === undefined || rankOf(error.error) >= rankOf(best)) best = error.error;
    }
  }
  throw best ?? notCalled(skipped);
}

/** Milliseconds until the first target can be called, by why the targets were skipped. */
interface SkippedMs {
  circuitMs?: number;
  credentialMs?: number;
}

function admit(
  { target: { upstream }, pooled }: FallbackTarget,
  { breakers, tokens = () => 0 }: FallbackOptions,
  skipped: SkippedMs,
): { use?: CredentialUse | undefined } | 'skipped' {
  const admitted = breakers.admit(upstream);
  if (admitted !== 'yes') {
    skipped.circuitMs = Math.min(skipped.circuitMs ?? admitted.retryAfterMs, admitted.retryAfterMs);
    return 'skipped';
  }
  if (!pooled) return {};
  const use = pooled.take(tokens);
  if (use) return { use };
  breakers.abandoned(upstream);
  const waitMs = pooled.waitMs(tokens);
  skipped.credentialMs = Math.min(skipped.credentialMs ?? waitMs, waitMs);
  return 'skipped';
}

/** The target is not called although it was admitted. */
function release({ target: { upstream } }: FallbackTarget, breakers: CircuitBreakers, use: CredentialUse | undefined) {
  use?.end();
  breakers.abandoned(upstream);
}

function skippedBy({ target: { upstream } }: FallbackTarget, breakers: CircuitBreakers): AttemptOutcome {
  return { result: breakers.stateOf(upstream) === 'closed' ? 'no_credential' : 'circuit_open' };
}

interface ServedAttempt {
  isStream: boolean;
  ms: number;
  trace: AttemptTrace | undefined;
  use: CredentialUse | undefined;
}

function served(
  { target }: FallbackTarget,
  { breakers, onAttempt, onUse }: FallbackOptions,
  { isStream, ms, trace, use }: ServedAttempt,
): void {
  // The span of a stream ends with the stream.
  if (isStream) trace?.responded();
  else trace?.end();
  onAttempt?.(target, { result: 'served', ms, isStreaming: isStream });
  if (isStream) breakers.started(target.upstream);
  else breakers.succeeded(target.upstream);
  if (!use) return;
  use.credential.succeeded();
  use.credential.observeFirstEvent(ms);
  if (!isStream) use.end();
  onUse?.(use);
}

function recordFailure(
  { target: { upstream }, pooled }: FallbackTarget,
  breakers: CircuitBreakers,
  failure: AttemptError,
) {
  if (failure.countsAsFailure) breakers.failed(upstream);
  else if (failure.isAlive) breakers.succeeded(upstream);
  else breakers.abandoned(upstream);
  if (pooled && failure.source !== 'not-sent') restAfter(pooled, failure.error, failure.rest);
}

function isSameRoute(one: AttemptTarget, other: AttemptTarget): boolean {
  return one.upstream === other.upstream && one.model === other.model && other.credential !== undefined;
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

/** Longer waits, e.g. until the budget of a month resets, are of no use to a client. */
const MAX_RETRY_MS = 3_600_000;

function notCalled({ circuitMs, credentialMs }: SkippedMs): GatewayError {
  if (credentialMs !== undefined && credentialMs <= (circuitMs ?? credentialMs)) {
    return credentialsBusy(Math.min(credentialMs, MAX_RETRY_MS));
  }
  if (circuitMs === undefined) return new GatewayError('no_upstream', GATEWAY_MESSAGES.noUpstream);
  return new GatewayError(
    'no_upstream',
    `All upstreams for this model are unavailable (circuit open). Retry in ${Math.ceil(circuitMs / 1_000)} s.`,
    { retryAfterMs: circuitMs },
  );
}

function credentialsBusy(waitMs: number): GatewayError {
  const retry = `Retry in ${Math.ceil(waitMs / 1_000)} s.`;
  const message = `All credentials for this model are at their limits or unavailable. ${retry}`;
  return new GatewayError('rate_limited', message, { retryAfterMs: waitMs });
}
