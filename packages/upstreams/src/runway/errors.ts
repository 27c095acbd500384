import type { TaskError } from '@sluice/canonical';
import { type Decision, decisionOfStatus } from '../media/outcomes/decision.ts';

/** Runway reports a missing balance only in text, with HTTP 400. */
const NO_CREDITS = /(?:not|n't) have enough credits|insufficient credits/i;

/** Decides an error's meaning (Runway docs, "HTTP Errors"). After 502 and 504, the task may have been created. */
export function decisionOf(status: number, words: string | undefined): Decision {
  if (status === 400 && NO_CREDITS.test(words ?? '')) return 'balance';
  return decisionOfStatus(status);
}

/**
 * Returns why a task failed, with the gateway's own message. Runway's `failure` is not for users, and the end of
 * `failureCode` often names an input that the request did not have (Runway docs, "Handle task failures").
 */
export function failureOf(failureCode: string | undefined): TaskError {
  const words = failureCode?.split('.') ?? [];
  if (words.includes('SAFETY')) {
    const what = words.includes('OUTPUT') ? 'the output' : 'the input';
    return { code: 'content_policy', message: `The upstream’s moderation refused ${what}.` };
  }
  if (words[0] === 'ASSET') {
    return { code: 'invalid_request', message: 'The upstream cannot use an image of the request.' };
  }
  if (words[1] === 'BAD_OUTPUT') {
    return { code: 'provider_error', message: 'The upstream output failed its quality check.' };
  }
  return { code: 'provider_error', message: 'The upstream failed.' };
}
