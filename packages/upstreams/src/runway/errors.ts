import { type TaskError, UPSTREAM_MESSAGES } from '@sluice/canonical';
import { type Decision, decisionOfStatus } from '../media/outcomes/decision.ts';

/** Runway reports a missing balance only as text, with HTTP 400. */
const NO_CREDITS = /(?:not|n't) have enough credits|insufficient credits/i;

/** Maps an error to a decision (Runway docs, "HTTP Errors"). After a 502 or 504, the task may have been created. */
export function decisionOf(status: number, message: string | undefined): Decision {
  if (status === 400 && NO_CREDITS.test(message ?? '')) return 'balance';
  return decisionOfStatus(status);
}

/**
 * Returns a task's error with the gateway's own message. Runway's `failure` is not intended for users, and the end of
 * `failureCode` often names an input that the request did not have (Runway docs, "Handle task failures").
 */
export function failureOf(failureCode: string | undefined): TaskError {
  const parts = failureCode?.split('.') ?? [];
  if (parts.includes('SAFETY')) {
    const { outputBlocked, requestBlocked } = UPSTREAM_MESSAGES;
    return { code: 'content_policy', message: parts.includes('OUTPUT') ? outputBlocked : requestBlocked };
  }
  if (parts[0] === 'ASSET') {
    return { code: 'invalid_request', message: 'The upstream cannot use an image of the request. Send another image.' };
  }
  if (parts[1] === 'BAD_OUTPUT') {
    return {
      code: 'provider_error',
      message: 'The upstream output failed its quality check. Retry the request.',
    };
  }
  return { code: 'provider_error', message: UPSTREAM_MESSAGES.failed };
}
