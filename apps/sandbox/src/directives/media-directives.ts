/** What a directive in a prompt makes the simulated vendor do. A test holds `docs/extend/sandbox.md` to this table. */
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
    effect: 'the job ends failed, through no fault of the caller’s',
    ending: '`failed`, code `provider_error`',
  },
  moderation: {
    word: '[moderation]',
    capability: 'video, image',
    call: 'submit',
    times: 'always',
    effect: 'the audit of the prompt refuses it; not accepted',
    ending: '`failed`, code `content_policy`',
  },
  moderatedOutput: {
    word: '[moderated-output]',
    capability: 'video, image',
    call: 'poll',
    times: 'always',
    effect: 'the job ends failed, by the audit of what was made',
    ending: '`failed`, code `content_policy`',
  },
  refused: {
    word: '[refused]',
    capability: 'video, image',
    call: 'submit',
    times: 'always',
    effect: 'refused for invalid parameters; not accepted',
    ending: '`failed`, code `invalid_request`',
  },
  balance: {
    word: '[balance]',
    capability: 'video, image',
    call: 'submit',
    times: 'always',
    effect: 'refused because the account has no balance; not accepted',
    ending: '`failed`, code `provider_quota`',
  },
  slow: {
    word: '[slow:N]',
    capability: 'video, image',
    call: 'poll',
    times: 'always',
    effect: 'rendering takes N seconds',
    ending: '`completed` after N seconds; `failed`, code `deadline_exceeded`, when the deadline is sooner',
  },
  stall: {
    word: '[stall]',
    capability: 'video, image',
    call: 'poll',
    times: 'always',
    effect: 'the job is in progress for ever',
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
    effect: 'the connection dies after half of the bytes',
    ending: '`completed`, at the third download',
  },
  lostReply: {
    word: '[lost-reply]',
    capability: 'video, image',
    call: 'submit',
    times: 'always',
    effect: 'accepted and listed, but the connection dies without an answer',
    ending:
      '`completed`, where exactly one job is found by name or fits in the list; else `failed`, code `submission_unknown`; never submitted twice',
  },
  lateReply: {
    word: '[late-reply:N]',
    capability: 'video, image',
    call: 'submit',
    times: 'always',
    effect: 'accepted and listed at once; the answer comes N seconds later',
    ending: '`completed`, where the answer is waited for; where the waiting worker dies, as with `[lost-reply]`',
  },
  lostRequest: {
    word: '[lost-request]',
    capability: 'video, image',
    call: 'submit',
    times: 'the first of a task',
    effect: 'the connection dies without an answer, and nothing was accepted',
    ending: '`completed`, where the look-up proves that there is no such job; else `failed`, code `submission_unknown`',
  },
  expire: {
    word: '[expire]',
    capability: 'video, image',
    call: 'content',
    times: 'always',
    effect: 'expired, although the job has completed: 410 on the videos wire, elsewhere every URL of a result',
    ending: '`failed`, code `content_expired`',
  },
  expireOnce: {
    word: '[expire-once]',
    capability: 'video, image',
    call: 'content',
    times: 'the first of a job',
    effect:
      'the URL of a result that is handed out first has expired, those after it have not; nothing on the videos wire, which hands out none',
    ending: '`completed`, where the vendor is asked again',
  },
  partial: {
    word: '[partial]',
    capability: 'image',
    call: 'poll',
    times: 'always',
    effect: 'the last of several pictures fails, the others succeed',
    ending: '`completed`, with the others',
  },
  nothing: {
    word: '[nothing]',
    capability: 'video, image',
    call: 'poll',
    times: 'always',
    effect: 'the job succeeds without an output, on wires that can say so',
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
