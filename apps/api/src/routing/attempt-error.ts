import type { ErrorCode, GatewayError } from '@sluice/canonical';

export interface AttemptFailure {
  error: GatewayError;
  mayRetry: boolean;
  /** Whether the circuit breaker counts it: no connection, a timeout, a broken response, or a 5xx. */
  countsAsFailure: boolean;
  /** Whether the response shows that the upstream is alive. Absent: no. */
  isAlive?: boolean;
  source?: FailureSource;
}

/**
 * - `upstream`: it was unreachable, broke off, failed, rejected the gateway's credential, or was overloaded.
 * - `request`: it rejected the client's request.
 * - `not-sent`: its protocol does not support the request, so it was not called.
 */
export type FailureSource = 'upstream' | 'request' | 'not-sent';

export class AttemptError extends Error implements AttemptFailure {
  readonly error: GatewayError;
  readonly mayRetry: boolean;
  readonly countsAsFailure: boolean;
  readonly isAlive: boolean;
  readonly source: FailureSource;

  constructor({ error, mayRetry, countsAsFailure, isAlive = false, source = 'upstream' }: AttemptFailure) {
    super(error.message, { cause: error });
    this.name = 'AttemptError';
    this.error = error;
    this.mayRetry = mayRetry;
    this.countsAsFailure = countsAsFailure;
    this.isAlive = isAlive;
    this.source = source;
  }
}

/** Caused by the account or the upstream for any status: Gemini returns 400 for a wrong key. */
const NOT_THE_REQUEST: ReadonlySet<ErrorCode> = new Set([
  'provider_auth',
  'provider_quota',
  'provider_overloaded',
  'rate_limited',
]);
/** Every upstream would reject these, or a fallback must not circumvent the rejection. */
const THE_REQUEST: ReadonlySet<ErrorCode> = new Set([
  'content_policy',
  'context_length_exceeded',
  'invalid_encrypted_content',
  'payload_too_large',
]);
const RETRYABLE_REFUSALS: ReadonlySet<number> = new Set([401, 402, 403, 404, 408, 409, 429]);

/**
 * Errors of the account or the upstream allow a fallback (401, 402, 403, 404, 408, 409, 429, 5xx, redirects); errors of
 * the request do not (400, 413, 415, 422, and others). Only a 5xx counts as a failure.
 * @param isFinal the upstream declared with `x-should-retry: false` that a repeat would fail or do harm
 */
export function classifyRefusal(status: number, error: GatewayError, isFinal = false): AttemptError {
  const isServerError = status >= 500;
  const mayRetry =
    !(isFinal && isServerError) &&
    (NOT_THE_REQUEST.has(error.code) ||
      (!THE_REQUEST.has(error.code) && (isServerError || status < 400 || RETRYABLE_REFUSALS.has(status))));
  // A 429 shows neither that the upstream is down nor that it would serve.
  return new AttemptError({
    error,
    mayRetry,
    countsAsFailure: isServerError,
    isAlive: !isServerError && status !== 429,
    source: mayRetry || isServerError ? 'upstream' : 'request',
  });
}

const UPSTREAM_STATUS: Partial<Record<ErrorCode, number>> = { provider_auth: 401, provider_quota: 402 };

/** Classifies an error inside a response, or in place of one. It has no status, so its code selects one. */
export function classifyReported(error: GatewayError): AttemptError {
  if (error.code === 'internal_error') return new AttemptError({ error, mayRetry: false, countsAsFailure: false });
  return classifyRefusal(UPSTREAM_STATUS[error.code] ?? error.status, error);
}
