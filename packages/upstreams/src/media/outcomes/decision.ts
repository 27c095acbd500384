import { type SubmitOutcome, type TaskErrorCode, UPSTREAM_MESSAGES } from '@sluice/canonical';

/**
 * The effect of a vendor's error on a submission.
 *
 * - `invalid`, `moderated`: the request is the cause. Other upstreams would also reject it.
 * - `busy`: rate limited. A later retry may succeed.
 * - `unavailable`: temporarily unavailable for another reason. A later retry may succeed.
 * - `credential`, `balance`: this account cannot serve the request.
 * - `unknown`: the vendor may have accepted the request.
 */
export type Decision = 'invalid' | 'moderated' | 'busy' | 'unavailable' | 'credential' | 'balance' | 'unknown';

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

export function decisionOfStatus(status: number): Decision {
  switch (status) {
    case 400:
    case 404:
    case 405:
    case 413:
    case 415:
    case 422:
      return 'invalid';
    case 401:
    case 403:
      return 'credential';
    case 402:
      return 'balance';
    case 429:
      return 'busy';
    case 503:
      return 'unavailable';
    default:
      return 'unknown';
  }
}

/** Returns the outcome of a rejected submission. @param reason the vendor's text, sanitized */
export function refusedSubmission(
  decision: Decision,
  reason: string,
  delay: { retryAfterMs?: number } = {},
): SubmitOutcome {
  switch (decision) {
    case 'invalid':
      return { kind: 'rejected', code: 'invalid_request', message: reason };
    case 'moderated':
      return { kind: 'rejected', code: 'content_policy', message: reason };
    case 'busy':
      return { kind: 'busy', code: 'rate_limited', message: UPSTREAM_MESSAGES.rateLimited, ...delay };
    case 'unavailable':
      return { kind: 'busy', code: 'provider_error', message: UPSTREAM_MESSAGES.overloaded, ...delay };
    case 'credential':
      return { kind: 'account', code: 'provider_auth', message: UPSTREAM_MESSAGES.credentialRejected };
    case 'balance':
      return { kind: 'account', code: 'provider_quota', message: UPSTREAM_MESSAGES.quotaExhausted };
    case 'unknown':
      return { kind: 'unknown', message: reason };
  }
}

export function failureCodeOf(decision: Decision): TaskErrorCode {
  switch (decision) {
    case 'invalid':
      return 'invalid_request';
    case 'moderated':
      return 'content_policy';
    case 'balance':
      return 'provider_quota';
    case 'busy':
    case 'unavailable':
    case 'credential':
    case 'unknown':
      return 'provider_error';
  }
}
