import type { VendorKind } from './vendor-kinds.ts';

/** Sandbox directives, and the outcome of the task: `completed`, or its error code. */
const ENDINGS: Record<string, string | ((kind: VendorKind) => string)> = {
  '[fail]': 'provider_error',
  '[moderation]': 'content_policy',
  '[moderated-output]': 'content_policy',
  '[refused]': 'invalid_request',
  '[balance]': 'provider_quota',
  '[429]': 'completed',
  '[503]': 'completed',
  '[500]': 'completed',
  '[garbage]': 'completed',
  '[cut]': 'completed',
  '[expire]': 'content_expired',
  '[expire-once]': 'completed',
  '[lost-reply]': ({ lost }) => (lost === 'found' ? 'completed' : 'submission_unknown'),
  '[lost-request]': ({ kind }) => (kind === 'provider-a' ? 'completed' : 'submission_unknown'),
};

/** The words that make a vendor fail. */
export const FAULT_WORDS: readonly string[] = Object.keys(ENDINGS);

/** How a task with a word ends at a kind of upstream, when nothing else goes wrong: `completed`, or its error's code. */
export function endingOf(word: string, kind: VendorKind): string {
  const ending = ENDINGS[word] ?? 'completed';
  return typeof ending === 'function' ? ending(kind) : ending;
}
