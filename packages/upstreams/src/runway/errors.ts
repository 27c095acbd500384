import type { TaskError } from '@sluice/canonical';
import { type Decision, decisionOfStatus } from '../media/decision.ts';

/** Runway tells an empty purse with HTTP 400 and in words alone. */
const NO_CREDITS = /(?:not|n't) have enough credits|insufficient credits/i;

/** What a refused call means (Runway docs, "HTTP Errors"). 502 and 504 may come after the task was made. */
export function decisionOf(status: number, words: string | undefined): Decision {
  if (status === 400 && NO_CREDITS.test(words ?? '')) return 'balance';
  return decisionOfStatus(status);
}

/**
 * Why a task failed, in words of our own: Runway's `failure` is not for users, and the end of its `failureCode` often
 * names an input that there was none of (Runway docs, "Handle task failures").
 */
export function failureOf(failureCode: string | undefined): TaskError {
  const words = failureCode?.split('.') ?? [];
  if (words.includes('SAFETY')) {
    const what = words.includes('OUTPUT') ? 'what was made' : 'the content of the request';
    return { code: 'content_policy', message: `The upstream’s moderation refused ${what}` };
  }
  if (words[0] === 'ASSET') {
    return { code: 'invalid_request', message: 'The upstream cannot use a picture of the request' };
  }
  if (words[1] === 'BAD_OUTPUT') {
    return { code: 'provider_error', message: 'The upstream made nothing that is good enough' };
  }
  return { code: 'provider_error', message: 'The upstream failed' };
}
