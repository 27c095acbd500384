import type { PromptDirective } from './media-directives.ts';
import { toolDirectives } from './tool-directives.ts';

export const FAILED_CALLS = 2;

const TEXT = { capability: 'text', call: 'any wire', times: 'always' } as const;
const FIRST = { ...TEXT, times: `the first ${FAILED_CALLS} with this text` } as const;

export const TEXT_DIRECTIVES = {
  tool: {
    ...TEXT,
    word: '[tool:NAME]',
    effect:
      'calls the tool NAME of the request, with arguments generated from its schema; `[tool:NAME {"a":1}]` sets them literally; several directives are parallel calls',
    ending: 'tool calls; a call with the results then quotes them',
  },
  think: {
    ...TEXT,
    word: '[think]',
    effect: 'reasons before it responds, as it also does if the request requires it',
    ending: 'reasoning, then the response',
  },
  redacted: {
    ...TEXT,
    word: '[redacted]',
    effect: 'reasons, but hides the reasoning (`redacted_thinking` on the messages wire)',
    ending: 'hidden reasoning, then the response',
  },
  json: {
    ...TEXT,
    word: '[json]',
    effect: 'returns JSON that fits the schema of the request; `{"answer": "…"}` without one',
    ending: 'JSON text',
  },
  long: { ...TEXT, word: '[long:N]', effect: 'returns N words', ending: 'N words' },
  empty: { ...TEXT, word: '[empty]', effect: 'returns nothing', ending: 'no content, finish stop' },
  refuse: {
    ...TEXT,
    word: '[refuse]',
    effect: 'refuses: `refusal`, `stop_reason: refusal`, or `SAFETY`, by wire',
    ending: 'a refusal',
  },
  filter: {
    ...TEXT,
    word: '[filter]',
    effect: 'a filter blocks the prompt: `content_filter`, `refusal`, or `promptFeedback`, by wire',
    ending: 'no content, finish content filter',
  },
  throttled: {
    ...FIRST,
    word: '[429]',
    effect: '429; with `retry-after: 1`, or `RetryInfo` on generative-content',
    ending: 'the response, at the third call',
  },
  broken: { ...FIRST, word: '[500]', effect: '500 in the wire’s format', ending: 'the response, at the third call' },
  overloaded: {
    ...TEXT,
    word: '[overloaded]',
    effect: '529 on messages, 503 elsewhere',
    ending: 'an error, or another upstream’s response',
  },
  unauthorized: {
    ...TEXT,
    word: '[401]',
    effect: 'the vendor rejects the key (400 `API_KEY_INVALID` on generative-content)',
    ending: 'a gateway error, never 401',
  },
  context: {
    ...TEXT,
    word: '[context]',
    effect: 'the vendor’s 400 for a prompt that is too long',
    ending: '400, code `context_length_exceeded` or similar',
  },
  error: {
    ...TEXT,
    word: '[error]',
    effect: 'after half of the chunks, an error in the wire’s format; 500 if not streaming',
    ending: 'an error in the stream',
  },
  cut: {
    ...TEXT,
    word: '[cut]',
    effect: 'the connection drops after half of the chunks, or of the body',
    ending: 'an error, never a made-up end',
  },
  garbled: {
    ...TEXT,
    word: '[garbage]',
    effect: '200 with a web page instead of JSON',
    ending: 'an error',
  },
  slow: { ...TEXT, word: '[slow:N]', effect: 'N seconds before the first byte', ending: 'the response' },
  drip: { ...TEXT, word: '[drip:N]', effect: 'N milliseconds between chunks', ending: 'the response' },
} as const satisfies Record<string, PromptDirective>;

export type TextDirectiveName = keyof typeof TEXT_DIRECTIVES;

type NumberDirective = 'long' | 'slow' | 'drip';

/** Case-insensitive. */
export function hasTextDirective(text: string, name: Exclude<TextDirectiveName, NumberDirective | 'tool'>): boolean {
  return text.toLowerCase().includes(TEXT_DIRECTIVES[name].word);
}

export function directiveNumber(text: string, name: NumberDirective): number | undefined {
  const found = new RegExp(String.raw`\[${name}:(\d{1,6}(?:\.\d{1,3})?)\]`, 'i').exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}

const PLAIN = Object.values(TEXT_DIRECTIVES)
  .map(({ word }) => word)
  .filter((word) => !word.includes(':'))
  .map((word) => word.replaceAll(/[[\]]/g, String.raw`\$&`));
const ANY_DIRECTIVE = new RegExp(String.raw`${PLAIN.join('|')}|\[(?:long|slow|drip):[\d.]+\]`, 'gi');

/** Also closes the gaps that removed directives leave. */
export function withoutDirectives(text: string): string {
  let left = text;
  for (const { from, to } of toolDirectives(text).toReversed()) left = left.slice(0, from) + left.slice(to);
  const bare = left.replaceAll(ANY_DIRECTIVE, '');
  return bare === text ? text.trim() : bare.replaceAll(/ {2,}/g, ' ').trim();
}
