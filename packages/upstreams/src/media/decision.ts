import type { SubmitOutcome, TaskErrorCode } from '@sluice/canonical';

/**
 * What a vendor's refusal means for a submission.
 *
 * - `invalid`, `moderated`: the request's fault; nobody else's machine would help.
 * - `busy`: not accepted, later it may be.
 * - `unavailable`: the same, and not for our number of requests.
 * - `credential`, `balance`: this account cannot serve.
 * - `unknown`: it may have been accepted.
 */
export type Decision = 'invalid' | 'moderated' | 'busy' | 'unavailable' | 'credential' | 'balance' | 'unknown';

/** What an HTTP status says by itself, where the vendor's own code says nothing better. */
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

/**
 * The outcome of a submission that the vendor has refused.
 * @param reason the vendor's words, fit for a client
 */
export function refusedSubmission(
  decision: Decision,
  reason: string,
  later: { retryAfterMs?: number } = {},
): SubmitOutcome {
  switch (decision) {
    case 'invalid':
      return { kind: 'rejected', code: 'invalid_request', message: reason };
    case 'moderated':
      return { kind: 'rejected', code: 'content_policy', message: reason };
    case 'busy':
      return { kind: 'busy', code: 'rate_limited', message: 'The upstream takes no more requests now', ...later };
    case 'unavailable':
      return { kind: 'busy', code: 'provider_error', message: 'The upstream is not available', ...later };
    case 'credential':
      return { kind: 'account', code: 'provider_auth', message: "The upstream rejected the gateway's credential" };
    case 'balance':
      return { kind: 'account', code: 'provider_quota', message: 'The upstream account has no balance' };
    case 'unknown':
      return { kind: 'unknown', message: reason };
  }
}

/** The code with which a task fails that the vendor had accepted and then refused or failed. */
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
