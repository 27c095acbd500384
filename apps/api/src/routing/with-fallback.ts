import { type ErrorCode, GatewayError } from '@sluice/canonical';
import { AttemptError } from './attempt-error.ts';
import type { CircuitBreakers } from './circuit-breaker.ts';

/** What {@link withFallback} works with. */
export interface FallbackOptions {
  breakers: CircuitBreakers;
  /** Aborts when the client has left: nothing more is tried. */
  signal: AbortSignal;
  /** Told of each attempt that failed, also when another one then succeeds. */
  onFailure?: (upstream: string, failure: AttemptError) => void;
}

/** What an attempt may give. */
export interface AttemptResult {
  /** The answer is still coming: whoever reads it tells the breaker how it ended. Else it counts as a success at once. */
  isStreaming?: boolean;
}

/**
 * Tries targets in order until one gives a result: an answer whose first byte may go to the client. After that nothing
 * is tried again, whatever becomes of the answer. An upstream whose breaker is open is passed over.
 *
 * @param attempt makes one try; must throw {@link AttemptError} for whatever may be tried elsewhere or tells about the
 *   upstream. Any other error ends the trying and is thrown as it is. Attempts must not change what they share; see
 *   `deepFrozen`. What it gives may be an {@link AttemptResult}
 * @throws GatewayError what the last attempts came to: an error that allows no other try as it is, else the most telling
 *   one; `no_upstream` when none could be tried
 */
export async function withFallback<T extends { target: { upstream: string } }, R>(
  targets: readonly T[],
  attempt: (target: T) => Promise<R>,
  { breakers, signal, onFailure }: FallbackOptions,
): Promise<R> {
  let told: GatewayError | undefined;
  let soonestMs = Number.POSITIVE_INFINITY;
  for (const target of targets) {
    signal.throwIfAborted();
    const { upstream } = target.target;
    const admitted = breakers.admit(upstream);
    if (admitted !== 'yes') {
      soonestMs = Math.min(soonestMs, admitted.retryAfterMs);
      continue;
    }
    try {
      const result = await attempt(target);
      if (isStreaming(result)) breakers.answered(upstream);
      else breakers.succeeded(upstream);
      return result;
    } catch (error) {
      // What happens after the client left is our own doing.
      if (signal.aborted || !(error instanceof AttemptError)) {
        breakers.abandoned(upstream);
        throw error instanceof AttemptError ? error.error : error;
      }
      onFailure?.(upstream, error);
      if (error.countsAsFailure) breakers.failed(upstream);
      else if (error.isAlive) breakers.succeeded(upstream);
      else breakers.abandoned(upstream);
      if (!error.mayRetry) throw error.error;
      if (told === undefined || rankOf(error.error) >= rankOf(told)) told = error.error;
    }
  }
  throw told ?? noUpstream(soonestMs);
}

function isStreaming(result: unknown): boolean {
  return typeof result === 'object' && result !== null && 'isStreaming' in result && result.isStreaming === true;
}

/** How much an error helps the client: when to come again, that it may come again, what is wrong, our own trouble. */
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

function noUpstream(soonestMs: number): GatewayError {
  if (!Number.isFinite(soonestMs)) return new GatewayError('no_upstream', 'No upstream can serve this model.');
  return new GatewayError(
    'no_upstream',
    `No upstream of this model is well. Try again in ${Math.ceil(soonestMs / 1_000)} s.`,
    { retryAfterMs: soonestMs },
  );
}
