/** Effects of the directives in a prompt. A test compares them with the generated page of directives. */
export interface PromptDirective {
  word: string;
  capability: 'video, image' | 'image' | 'text' | 'speech' | 'realtime';
  /** The vendor call it affects. */
  call: string;
  times: string;
  effect: string;
  /** How a Sluice task with this directive ends. */
  ending: string;
}

export const REJECTED_SUBMISSIONS = 2;
export const FAILED_POLLS = 2;
export const GARBLED_POLLS = 3;
export const CUT_DOWNLOADS = 2;

export const MEDIA_DIRECTIVES = {
  fail: {
    word: '[fail]',
    capability: 'video, image',
    call: 'poll',
    times: 'always',
    effect: 'the job fails with an internal error',
    ending: '`failed`, code `provider_error`',
  },
  moderation: {
    word: '[moderation]',
    capability: 'video, image',
    call: 'submit',
    times: 'always',
    effect: 'moderation rejects the prompt; not accepted',
    ending: '`failed`, code `content_policy`',
  },
  moderatedOutput: {
    word: '[moderated-output]',
    capability: 'video, image',
    call: 'poll',
    times: 'always',
    effect: 'the job fails because moderation rejects the output',
    ending: '`failed`, code `content_policy`',
  },
  refused: {
    word: '[refused]',
    capability: 'video, image',
    call: 'submit',
    times: 'always',
    effect: 'rejected for invalid parameters; not accepted',
    ending: '`failed`, code `invalid_request`',
  },
  balance: {
    word: '[balance]',
    capability: 'video, image',
    call: 'submit',
    times: 'always',
    effect: 'rejected because the account has no balance; not accepted',
    ending: '`failed`, code `provider_quota`',
  },
  slow: {
    word: '[slow:N]',
    capability: 'video, image',
    call: 'poll',
    times: 'always',
    effect: 'rendering takes N seconds',
    ending: '`completed` after N seconds; `failed`, code `deadline_exceeded`, if the deadline is sooner',
  },
  stall: {
    word: '[stall]',
    capability: 'video, image',
    call: 'poll',
    times: 'always',
    effect: 'the job stays in progress forever',
    ending: '`failed`, code `deadline_exceeded`',
  },
  throttled: {
    word: '[429]',
    capability: 'video, image',
    call: 'submit',
    times: `the first ${REJECTED_SUBMISSIONS} of a task`,
    effect: 'too many requests; not accepted',
    ending: '`completed`, accepted at the third submission',
  },
  unavailable: {
    word: '[503]',
    capability: 'video, image',
    call: 'submit',
    times: 'the first of a task',
    effect: 'down for maintenance; not accepted',
    ending: '`completed`, accepted at the second submission',
  },
  broken: {
    word: '[500]',
    capability: 'video, image',
    call: 'poll',
    times: `the first ${FAILED_POLLS} of a job`,
    effect: 'an internal error',
    ending: '`completed`',
  },
  garbled: {
    word: '[garbage]',
    capability: 'video, image',
    call: 'poll',
    times: `the first ${GARBLED_POLLS} of a job`,
    effect: '200 with an unknown status, a web page, then half a JSON object',
    ending: '`completed`',
  },
  cut: {
    word: '[cut]',
    capability: 'video, image',
    call: 'content',
    times: `the first ${CUT_DOWNLOADS} of a job`,
    effect: 'the connection drops after half of the bytes',
    ending: '`completed`, at the third download',
  },
  lostReply: {
    word: '[lost-reply]',
    capability: 'video, image',
    call: 'submit',
    times: 'always',
    effect: 'accepted and listed, but the connection drops without a response',
    ending:
      '`completed` if exactly one job is found by name or matches in the list; otherwise `failed`, code `submission_unknown`; never submitted twice',
  },
  lateReply: {
    word: '[late-reply:N]',
    capability: 'video, image',
    call: 'submit',
    times: 'always',
    effect: 'accepted and listed at once; the response comes N seconds later',
    ending: '`completed` if the worker waits for the response; if the worker dies, as with `[lost-reply]`',
  },
  lostRequest: {
    word: '[lost-request]',
    capability: 'video, image',
    call: 'submit',
    times: 'the first of a task',
    effect: 'the connection drops without a response, and nothing was accepted',
    ending:
      '`completed` if reconciliation proves that there is no such job; otherwise `failed`, code `submission_unknown`',
  },
  expire: {
    word: '[expire]',
    capability: 'video, image',
    call: 'content',
    times: 'always',
    effect: 'expired, although the job has completed: 410 on the videos wire, every result URL elsewhere',
    ending: '`failed`, code `content_expired`',
  },
  expireOnce: {
    word: '[expire-once]',
    capability: 'video, image',
    call: 'content',
    times: 'the first of a job',
    effect: 'the first result URL has expired, later ones have not; no effect on the videos wire, which has no URLs',
    ending: '`completed` if the worker requests a new URL',
  },
  partial: {
    word: '[partial]',
    capability: 'image',
    call: 'poll',
    times: 'always',
    effect: 'the last of several images fails, the others succeed',
    ending: '`completed`, with the others',
  },
  nothing: {
    word: '[nothing]',
    capability: 'video, image',
    call: 'poll',
    times: 'always',
    effect: 'the job succeeds without an output, on wires that can express it',
    ending: '`failed`, code `provider_error`',
  },
} as const satisfies Record<string, PromptDirective>;

export type MediaDirectiveName = keyof typeof MEDIA_DIRECTIVES;

export function hasDirective(prompt: string, name: Exclude<MediaDirectiveName, 'slow' | 'lateReply'>): boolean {
  return prompt.toLowerCase().includes(MEDIA_DIRECTIVES[name].word);
}

function secondsOf(prompt: string, word: string): number | undefined {
  const found = new RegExp(`\\[${word}:(\\d{1,6}(?:\\.\\d{1,3})?)\\]`, 'i').exec(prompt)?.[1];
  return found === undefined ? undefined : Number(found);
}

export function slowSeconds(prompt: string): number | undefined {
  return secondsOf(prompt, 'slow');
}

export function lateSeconds(prompt: string): number {
  return secondsOf(prompt, 'late-reply') ?? 0;
}
