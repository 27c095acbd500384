import { hasWord, numberIn, type PromptDirective } from './prompt-directive.ts';

/** How many calls of a task or a job the limited directives affect. */
export const DIRECTIVE_LIMITS = {
  throttled: 2,
  unavailable: 1,
  broken: 2,
  garbled: 3,
  cut: 2,
  lostRequest: 1,
  expireOnce: 1,
};

function ofCall(call: 'submit' | 'poll' | 'content') {
  return (word: string, effect: string, ending: string, times = 'always'): PromptDirective => ({
    word,
    capability: 'video, image',
    call,
    times,
    effect,
    ending,
  });
}

const submit = ofCall('submit');
const poll = ofCall('poll');
const content = ofCall('content');

export const MEDIA_DIRECTIVES = {
  fail: poll('[fail]', 'the job fails with an internal error', '`failed`, code `provider_error`'),
  moderation: submit('[moderation]', 'moderation rejects the prompt; not accepted', '`failed`, code `content_policy`'),
  moderatedOutput: poll(
    '[moderated-output]',
    'the job fails because moderation rejects the output',
    '`failed`, code `content_policy`',
  ),
  refused: submit('[refused]', 'rejected for invalid parameters; not accepted', '`failed`, code `invalid_request`'),
  balance: submit(
    '[balance]',
    'rejected because the account has no balance; not accepted',
    '`failed`, code `provider_quota`',
  ),
  slow: poll(
    '[slow:N]',
    'rendering takes N seconds',
    '`completed` after N seconds; `failed`, code `deadline_exceeded`, if the deadline is sooner',
  ),
  stall: poll('[stall]', 'the job stays in progress forever', '`failed`, code `deadline_exceeded`'),
  throttled: submit(
    '[429]',
    'too many requests; not accepted',
    '`completed`, accepted at the third submission',
    `the first ${DIRECTIVE_LIMITS.throttled} of a task`,
  ),
  unavailable: submit(
    '[503]',
    'down for maintenance; not accepted',
    '`completed`, accepted at the second submission',
    'the first of a task',
  ),
  broken: poll('[500]', 'an internal error', '`completed`', `the first ${DIRECTIVE_LIMITS.broken} of a job`),
  garbled: poll(
    '[garbage]',
    '200 with an unknown status, a web page, then half a JSON object',
    '`completed`',
    `the first ${DIRECTIVE_LIMITS.garbled} of a job`,
  ),
  cut: content(
    '[cut]',
    'the connection drops after half of the bytes',
    '`completed`, at the third download',
    `the first ${DIRECTIVE_LIMITS.cut} of a job`,
  ),
  lostReply: submit(
    '[lost-reply]',
    'accepted and listed, but the connection drops without a response',
    '`completed` if exactly one job is found by name or matches in the list; otherwise `failed`, code `submission_unknown`; never submitted twice',
  ),
  lateReply: submit(
    '[late-reply:N]',
    'accepted and listed at once; the response comes N seconds later',
    '`completed` if the worker waits for the response; if the worker dies, as with `[lost-reply]`',
  ),
  lostRequest: submit(
    '[lost-request]',
    'the connection drops without a response, and nothing was accepted',
    '`completed` if reconciliation proves that there is no such job; otherwise `failed`, code `submission_unknown`',
    'the first of a task',
  ),
  expire: content(
    '[expire]',
    'expired, although the job has completed: 410 on the videos wire, every result URL elsewhere',
    '`failed`, code `content_expired`',
  ),
  expireOnce: content(
    '[expire-once]',
    'the first result URL has expired, later ones have not; no effect on the videos wire, which has no URLs',
    '`completed` if the worker requests a new URL',
    'the first of a job',
  ),
  partial: {
    ...poll('[partial]', 'the last of several images fails, the others succeed', '`completed`, with the others'),
    capability: 'image',
  },
  nothing: poll(
    '[nothing]',
    'the job succeeds without an output, on wires that can express it',
    '`failed`, code `provider_error`',
  ),
} as const satisfies Record<string, PromptDirective>;

export type MediaDirectiveName = keyof typeof MEDIA_DIRECTIVES;

export function hasDirective(prompt: string, name: Exclude<MediaDirectiveName, 'slow' | 'lateReply'>): boolean {
  return hasWord(prompt, MEDIA_DIRECTIVES[name]);
}

export function slowSeconds(prompt: string): number | undefined {
  return numberIn(prompt, 'slow');
}

export function lateSeconds(prompt: string): number {
  return numberIn(prompt, 'late-reply') ?? 0;
}
