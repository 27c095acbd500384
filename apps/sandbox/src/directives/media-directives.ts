import { hasWord, numberIn, type PromptDirective } from './prompt-directive.ts';

/** Limits how many calls each directive affects, per task or job. */
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
  return (word: string, effect: string, ending: string, times = 'every call'): PromptDirective => ({
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
  moderation: submit(
    '[moderation]',
    'moderation rejects the prompt, and the submission is not accepted',
    '`failed`, code `content_policy`',
  ),
  moderatedOutput: poll(
    '[moderated-output]',
    'the job fails because moderation rejects the output',
    '`failed`, code `content_policy`',
  ),
  refused: submit('[refused]', 'the submission is refused for invalid parameters', '`failed`, code `invalid_request`'),
  balance: submit(
    '[balance]',
    'the submission is refused because the account has no balance',
    '`failed`, code `provider_quota`',
  ),
  slow: poll(
    '[slow:N]',
    'rendering takes N seconds',
    '`completed` after N seconds, or `failed`, code `deadline_exceeded`, if the deadline is earlier',
  ),
  stall: poll('[stall]', 'the job never ends', '`failed`, code `deadline_exceeded`'),
  throttled: submit(
    '[429]',
    'the submission is refused with a rate limit error',
    '`completed`, after the third submission is accepted',
    `the first ${DIRECTIVE_LIMITS.throttled} calls of a task`,
  ),
  unavailable: submit(
    '[503]',
    'the submission is refused because the vendor is unavailable',
    '`completed`, after the second submission is accepted',
    'the first call of a task',
  ),
  broken: poll(
    '[500]',
    'the poll returns an internal error',
    '`completed`',
    `the first ${DIRECTIVE_LIMITS.broken} calls of a job`,
  ),
  garbled: poll(
    '[garbage]',
    'the polls return 200 with an unknown status, then a web page, then half of a JSON object',
    '`completed`',
    `the first ${DIRECTIVE_LIMITS.garbled} calls of a job`,
  ),
  cut: content(
    '[cut]',
    'the connection breaks after half of the bytes',
    '`completed`, after the third download',
    `the first ${DIRECTIVE_LIMITS.cut} calls of a job`,
  ),
  lostReply: submit(
    '[lost-reply]',
    'the job is accepted and listed, but the connection breaks without a response',
    '`completed` if Sluice finds exactly one job by its reference or in the list, otherwise `failed`, code `submission_unknown`',
  ),
  lateReply: submit(
    '[late-reply:N]',
    'the job is accepted and listed immediately, but the response comes N seconds later',
    '`completed` if the worker waits for the response, otherwise the same as with `[lost-reply]`',
  ),
  lostRequest: submit(
    '[lost-request]',
    'the connection breaks without a response, and the job is not accepted',
    '`completed` if reconciliation proves that the job does not exist, otherwise `failed`, code `submission_unknown`',
    'the first call of a task',
  ),
  expire: content(
    '[expire]',
    'the files of the completed job have expired: the kind `videos` returns 410, and all other kinds return expired URLs',
    '`failed`, code `content_expired`',
  ),
  expireOnce: content(
    '[expire-once]',
    'the first result URL has expired, but later URLs are valid; no effect on the kind `videos`, which has no URLs',
    '`completed` if the worker requests a new URL',
    'the first call of a job',
  ),
  partial: {
    ...poll(
      '[partial]',
      'the last of several images fails, and the others succeed',
      '`completed`, without the last image',
    ),
    capability: 'image',
  },
  nothing: poll(
    '[nothing]',
    'the job succeeds without an output, if the vendor’s format can express this',
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
