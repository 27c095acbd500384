import type { ErrorCode, GatewayError } from '@sluice/canonical';
import type { Rest } from '@sluice/limits';

export interface AttemptFailure {
  error: GatewayError;
  mayRetry: boolean;
  /** Whether the circuit breaker counts it as a failure: no connection, a timeout, a broken response, or a 5xx. */
  countsAsFailure: boolean;
  /** Whether the response proves that the upstream is alive. False by default. */
  isAlive?: boolean;
  source?: FailureSource;
  /** How long the vendor lets the credential rest, if its response reports it. */
  rest?: Rest | undefined;
  /** The vendor's id of a file of the request that the vendor does not have. */
  missingFile?: string | undefined;
}

/**
 * - `upstream`: the upstream was unreachable or overloaded, failed, cut its response short, or rejected the gateway's
 * credential.
 * - `request`: the upstream rejected the client's request.
 * - `not-sent`: the upstream's protocol does not support the request, so it was not called.
 */
export type FailureSource = 'upstream' | 'request' | 'not-sent';

export class AttemptError extends Error implements AttemptFailure {
  readonly error: GatewayError;
  readonly mayRetry: boolean;
  readonly countsAsFailure: boolean;
  readonly isAlive: boolean;
  readonly source: FailureSource;
  readonly rest: Rest | undefined;
  readonly missingFile: string | undefined;

  constructor({
    error,
    mayRetry,
    countsAsFailure,
    isAlive = false,
    source = 'upstream',
    rest,
    missingFile,
  }: AttemptFailure) {
    super(error.message, { cause: error });
    this.name = 'AttemptError';
    this.error = error;
    this.mayRetry = mayRetry;
    this.countsAsFailure = countsAsFailure;
    this.isAlive = isAlive;
    this.source = source;
    this.rest = rest;
    this.missingFile = missingFile;
  }
}

/** Errors caused by the account or the upstream, with any status. For example, Gemini returns 400 for a wrong key. */
const NOT_THE_REQUEST: ReadonlySet<ErrorCode> = new Set([
  'provider_auth',
  'provider_quota',
  'provider_overloaded',
  'rate_limited',
]);
/** Errors that every upstream would return, or that a fallback must not circumvent. */
const THE_REQUEST: ReadonlySet<ErrorCode> = new Set([
  'content_policy',
  'context_length_exceeded',
  'invalid_encrypted_content',
  'payload_too_large',
]);
const RETRYABLE_REFUSALS: ReadonlySet<number> = new Set([401, 402, 403, 404, 408, 409, 429]);

/**
 * Errors of the account or the upstream allow a fallback (401, 402, 403, 404, 408, 409, 429, 5xx, redirects). Errors of
 * the request do not (400, 413, 415, 422, and others). Only a 5xx counts as a failure.
 * @param isFinal whether the upstream sent `x-should-retry: false`, because a retry would fail or do harm
 * @param details what the response reports
 */
export function classifyRefusal(
  status: number,
  error: GatewayError,
  isFinal = false,
  details: Pick<AttemptFailure, 'rest' | 'missingFile'> = {},
): AttemptError {
  const isServerError = status >= 500;
  const mayRetry =
    !(isFinal && isServerError) &&
    (NOT_THE_REQUEST.has(error.code) ||
      (!THE_REQUEST.has(error.code) && (isServerError || status < 400 || RETRYABLE_REFUSALS.has(status))));
  // A 429 does not show whether the upstream is down or can serve requests.
  return new AttemptError({
    error,
    mayRetry,
    countsAsFailure: isServerError,
    isAlive: !isServerError && status !== 429,
    source: mayRetry || isServerError ? 'upstream' : 'request',
    ...details,
  });
}

const UPSTREAM_STATUS: Partial<Record<ErrorCode, number>> = { provider_auth: 401, provider_quota: 402 };

/** Classifies an error that the upstream sent with a success status. The error's code determines the status. */
export function classifyReported(error: GatewayError): AttemptError {
  if (error.code === 'internal_error') return new AttemptError({ error, mayRetry: false, countsAsFailure: false });
  return classifyRefusal(UPSTREAM_STATUS[error.code] ?? error.status, error);
}
