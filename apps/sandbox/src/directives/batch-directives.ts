import { hasWord, numberIn, type PromptDirective } from './prompt-directive.ts';

/** Limits how many calls each directive affects, per task or batch. */
export const BATCH_LIMITS = { throttled: 2, unavailable: 1, lostRequest: 1, broken: 2, cut: 2 };

function batch(call: string, word: string, effect: string, ending: string, times = 'every call'): PromptDirective {
  return { capability: 'batch', call, times, word: `[batch:${word}]`, effect, ending };
}

/** Directives in the first line of a batch. They have a prefix, because text directives affect the lines themselves. */
export const BATCH_DIRECTIVES = {
  lostReply: batch(
    'creation',
    'lost-reply',
    'the batch is accepted and listed, but the connection breaks without a response',
    'the results, if the batch is found at the vendor',
  ),
  lateReply: batch(
    'creation',
    'late-reply:N',
    'the batch is accepted and listed immediately, but the response comes N seconds later',
    'the results',
  ),
  lostRequest: batch(
    'creation',
    'lost-request',
    'the connection breaks without a response, and the batch is not accepted',
    'the results, if the vendor’s list proves that the batch does not exist',
    'the first call of a task',
  ),
  refused: batch('creation', 'refused', 'the batch is refused as invalid', 'a failed batch'),
  balance: batch('creation', 'balance', 'the batch is refused because the account has no balance', 'a failed batch'),
  throttled: batch(
    'creation',
    '429',
    'the batch is refused with a rate limit error',
    'the results, after the third creation',
    `the first ${BATCH_LIMITS.throttled} calls of a task`,
  ),
  unavailable: batch(
    'creation',
    '503',
    'the batch is refused because the vendor is unavailable',
    'the results, after the second creation',
    'the first call of a task',
  ),
  broken: batch(
    'poll',
    '500',
    'the poll returns an internal error',
    'the results',
    `the first ${BATCH_LIMITS.broken} calls of a batch`,
  ),
  slow: batch('run', 'slow:N', 'the batch takes N seconds', 'the results, after N seconds'),
  stall: batch('run', 'stall', 'the batch stops after half of its lines, and never ends', 'partial results'),
  expire: batch('run', 'expire', 'the batch expires after half of its lines', 'partial results'),
  fail: batch(
    'run',
    'fail',
    'the batch fails before its first line; no effect at Anthropic, whose batches cannot fail',
    'a failed batch',
  ),
  cut: batch(
    'results',
    'cut',
    'the connection breaks after half of the bytes',
    'the results, after the third download',
    `the first ${BATCH_LIMITS.cut} calls of a batch`,
  ),
} as const satisfies Record<string, PromptDirective>;

export function hasBatchDirective(
  text: string,
  name: Exclude<keyof typeof BATCH_DIRECTIVES, 'slow' | 'lateReply'>,
): boolean {
  return hasWord(text, BATCH_DIRECTIVES[name]);
}

/** Returns the N of `[batch:slow:N]` or `[batch:late-reply:N]`, in seconds. */
export function batchSeconds(text: string, name: 'slow' | 'late-reply'): number | undefined {
  return numberIn(text, `batch:${name}`);
}
