import type { ErrorCode, GatewayError } from '@sluice/canonical';

/** What an attempt at one target came to, when not to an answer. */
export interface AttemptFailure {
  /** What the client would be told. */
  error: GatewayError;
  /** Whether another target may be asked. */
  mayRetry: boolean;
  /** Whether the upstream's circuit breaker counts it: no connection, no answer in time, a broken one, a 5xx. */
  countsAsFailure: boolean;
  /** Whether the upstream has answered in a way that shows that it is well. Absent: no. */
  isAlive?: boolean;
  /** Whose failing it is, for the log. Absent: the upstream's. */
  source?: FailureSource;
}

/**
 * - `upstream`: it could not be reached, broke off, failed, refused our credential or had too much to do.
 * - `request`: it refused the client's request as such.
 * - `not-sent`: its protocol cannot carry the request, so it was not called.
 */
export type FailureSource = 'upstream' | 'request' | 'not-sent';

/** Thrown by an attempt that failed before the client was sent anything. */
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

/** The account's trouble or the upstream's, whatever status it came with: Gemini answers 400 to a wrong key. */
const NOT_THE_REQUEST: ReadonlySet<ErrorCode> = new Set([
  'provider_auth',
  'provider_quota',
  'provider_overloaded',
  'rate_limited',
]);
/** What every upstream would refuse, or what must not be tried until one gives in. */
const THE_REQUEST: ReadonlySet<ErrorCode> = new Set([
  'content_policy',
  'context_length_exceeded',
  'invalid_encrypted_content',
  'payload_too_large',
]);
const RETRYABLE_REFUSALS: ReadonlySet<number> = new Set([401, 402, 403, 404, 408, 409, 429]);

/**
 * Sorts an upstream's refusal, given its status and what the protocol's `decodeError` made of it. What lies with the
 * account or the upstream may be tried elsewhere (401, 402, 403, 404, 408, 409, 429, 5xx, a redirect); what lies with
 * the request may not (400, 413, 415, 422 and the rest). Only a 5xx counts against the upstream.
 */
export function classifyRefusal(status: number, error: GatewayError): AttemptError {
  const isServerError = status >= 500;
  const mayRetry =
    NOT_THE_REQUEST.has(error.code) ||
    (!THE_REQUEST.has(error.code) && (isServerError || status < 400 || RETRYABLE_REFUSALS.has(status)));
  // A 429 says neither that the upstream is down nor that it would serve.
  return new AttemptError({
    error,
    mayRetry,
    countsAsFailure: isServerError,
    isAlive: !isServerError && status !== 429,
    source: mayRetry || isServerError ? 'upstream' : 'request',
  });
}

/** What upstreams answer where our own status says that it is no fault of the client. */
const UPSTREAM_STATUS: Partial<Record<ErrorCode, number>> = { provider_auth: 401, provider_quota: 402 };

/**
 * Sorts an error that was told inside an answer or came instead of one: without a status, so that its code stands for the
 * one that it would have come with.
 */
export function classifyReported(error: GatewayError): AttemptError {
  // A bug of ours says nothing about the upstream.
  if (error.code === 'internal_error') return new AttemptError({ error, mayRetry: false, countsAsFailure: false });
  return classifyRefusal(UPSTREAM_STATUS[error.code] ?? error.status, error);
}
