import type { TaskError } from '@sluice/canonical';
import { type Decision, decisionOfStatus } from '../media/outcomes/decision.ts';

/** Runway reports a missing balance with HTTP 400 and text only. */
const NO_CREDITS = /(?:not|n't) have enough credits|insufficient credits/i;

/** The decision for an error (Runway docs, "HTTP Errors"). 502 and 504 may come after the task was created. */
export function decisionOf(status: number, words: string | undefined): Decision {
  if (status === 400 && NO_CREDITS.test(words ?? '')) return 'balance';
  return decisionOfStatus(status);
}

/**
 * Why a task failed, with our own message: Runway's `failure` is not for users, and the end of its `failureCode` often
 * names an input that the request did not have (Runway docs, "Handle task failures").
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
