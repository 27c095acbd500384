/** What a word in a prompt makes the stand-in vendor do. `docs/sandbox.md` shows this table; a test holds both together. */
export interface PromptWord {
  /** As written in a prompt, in any case. */
  word: string;
  /** The kind of wish that it works in. */
  capability: 'video' | 'text';
  /** The vendor's call that it hits. */
  call: string;
  /** How often. */
  times: string;
  /** What the vendor then does. */
  effect: string;
  /** How a Sluice task with this word ends. */
  ending: string;
}

/** How many submissions of a task `[429]` refuses. */
export const REFUSED_SUBMISSIONS = 2;
/** How many polls of a job `[500]` fails. */
export const FAILED_POLLS = 2;
/** How many polls of a job `[garbage]` answers with nonsense. */
export const GARBLED_POLLS = 3;
/** How many downloads of a job `[cut]` breaks. */
export const CUT_DOWNLOADS = 2;

/** All words of the videos wire, by the name that the code knows them by. */
export const PROMPT_WORDS = {
  fail: {
    word: '[fail]',
    capability: 'video',
    call: 'poll',
    times: 'always',
    effect: 'the job ends as `failed` with code `video_generation_failed`',
    ending: '`failed`, code `provider_error`',
  },
  moderation: {
    word: '[moderation]',
    capability: 'video',
    call: 'submit',
    times: 'always',
    effect: '400 with code `moderation_blocked`; not accepted',
    ending: '`failed`, code `content_policy`',
  },
  slow: {
    word: '[slow:N]',
    capability: 'video',
    call: 'poll',
    times: 'always',
    effect: 'rendering takes N seconds',
    ending: '`completed` after N seconds; `failed`, code `deadline_exceeded`, when the deadline is sooner',
  },
  stall: {
    word: '[stall]',
    capability: 'video',
    call: 'poll',
    times: 'always',
    effect: 'the job stays `in_progress` for ever',
    ending: '`failed`, code `deadline_exceeded`',
  },
  throttled: {
    word: '[429]',
    capability: 'video',
    call: 'submit',
    times: `the first ${REFUSED_SUBMISSIONS} of a task`,
    effect: '429 with `retry-after: 1`; not accepted',
    ending: '`completed`, accepted at the third submission',
  },
  broken: {
    word: '[500]',
    capability: 'video',
    call: 'poll',
    times: `the first ${FAILED_POLLS} of a job`,
    effect: '500 in the error shape',
    ending: '`completed`',
  },
  garbled: {
    word: '[garbage]',
    capability: 'video',
    call: 'poll',
    times: `the first ${GARBLED_POLLS} of a job`,
    effect: '200 with an unknown status, a web page, then half a JSON object',
    ending: '`completed`',
  },
  cut: {
    word: '[cut]',
    capability: 'video',
    call: 'content',
    times: `the first ${CUT_DOWNLOADS} of a job`,
    effect: 'the connection dies after half of the bytes',
    ending: '`completed`, at the third download',
  },
  lostReply: {
    word: '[lost-reply]',
    capability: 'video',
    call: 'submit',
    times: 'always',
    effect: 'accepted and listed, but the connection dies without an answer',
    ending:
      '`completed`, adopted from the list when exactly one job fits; else `failed`, code `submission_unknown`; never submitted twice',
  },
  expire: {
    word: '[expire]',
    capability: 'video',
    call: 'content',
    times: 'always',
    effect: '410 with code `content_expired`, although the job has completed',
    ending: '`failed`, code `content_expired`',
  },
} as const satisfies Record<string, PromptWord>;

/** The name of a word in {@link PROMPT_WORDS}. */
export type PromptWordName = keyof typeof PROMPT_WORDS;

/** Tells whether a prompt holds a word. `slow` is asked for with {@link slowSeconds}. */
export function hasWord(prompt: string, name: Exclude<PromptWordName, 'slow'>): boolean {
  return prompt.toLowerCase().includes(PROMPT_WORDS[name].word);
}

/** The N of `[slow:N]`, in seconds; undefined when the prompt has no such word. */
export function slowSeconds(prompt: string): number | undefined {
  const found = /\[slow:(\d{1,6}(?:\.\d{1,3})?)\]/i.exec(prompt)?.[1];
  return found === undefined ? undefined : Number(found);
}
