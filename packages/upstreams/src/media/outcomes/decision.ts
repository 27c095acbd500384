import type { SubmitOutcome, TaskErrorCode } from '@sluice/canonical';

/**
 * How a vendor's error affects a submission.
 *
 * - `invalid`, `moderated`: the request is the cause. Other upstreams would also reject it.
 * - `busy`: rate limited. Retry later.
 * - `unavailable`: temporarily unavailable for another reason. Retry later.
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
      return { kind: 'busy', code: 'rate_limited', message: 'The upstream is rate limiting requests.', ...delay };
    case 'unavailable':
      return { kind: 'busy', code: 'provider_error', message: 'The upstream is unavailable.', ...delay };
    case 'credential':
      return { kind: 'account', code: 'provider_auth', message: "The upstream rejected the gateway's credential." };
    case 'balance':
      return { kind: 'account', code: 'provider_quota', message: 'The upstream account has no balance.' };
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
