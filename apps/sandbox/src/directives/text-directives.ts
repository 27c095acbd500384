import { hasWord, numberIn, type PromptDirective } from './prompt-directive.ts';
import { toolDirectives } from './tool-directives.ts';

export const FAILED_CALLS = 2;
const FIRST_CALLS = `the first ${FAILED_CALLS} with this text`;

function text(word: string, effect: string, ending: string, times = 'always'): PromptDirective {
  return { capability: 'text', call: 'any wire', times, word, effect, ending };
}

export const TEXT_DIRECTIVES = {
  tool: text(
    '[tool:NAME]',
    'calls the tool NAME of the request, with arguments generated from its schema; `[tool:NAME {"a":1}]` sets them literally; several directives are parallel calls',
    'tool calls; a call with the results then quotes them',
  ),
  think: text(
    '[think]',
    'reasons before it responds, as it also does if the request requires it',
    'reasoning, then the response',
  ),
  redacted: text(
    '[redacted]',
    'reasons, but hides the reasoning (`redacted_thinking` on the messages wire)',
    'hidden reasoning, then the response',
  ),
  json: text('[json]', 'returns JSON that fits the schema of the request; `{"answer": "…"}` without one', 'JSON text'),
  long: text('[long:N]', 'returns N words', 'N words'),
  empty: text('[empty]', 'returns nothing', 'no content, finish stop'),
  refuse: text('[refuse]', 'refuses: `refusal`, `stop_reason: refusal`, or `SAFETY`, by wire', 'a refusal'),
  filter: text(
    '[filter]',
    'a filter blocks the prompt: `content_filter`, `refusal`, or `promptFeedback`, by wire',
    'no content, finish content filter',
  ),
  throttled: text(
    '[429]',
    '429; with `retry-after: 1`, or `RetryInfo` on generative-content',
    'the response, at the third call',
    FIRST_CALLS,
  ),
  broken: text('[500]', '500 in the wire’s format', 'the response, at the third call', FIRST_CALLS),
  overloaded: text('[overloaded]', '529 on messages, 503 elsewhere', 'an error, or another upstream’s response'),
  unauthorized: text(
    '[401]',
    'the vendor rejects the key (400 `API_KEY_INVALID` on generative-content)',
    'a gateway error, never 401',
  ),
  context: text(
    '[context]',
    'the vendor’s 400 for a prompt that is too long',
    '400, code `context_length_exceeded` or similar',
  ),
  error: text(
    '[error]',
    'after half of the chunks, an error in the wire’s format; 500 if not streaming',
    'an error in the stream',
  ),
  cut: text('[cut]', 'the connection drops after half of the chunks, or of the body', 'an error, never a made-up end'),
  garbled: text('[garbage]', '200 with a web page instead of JSON', 'an error'),
  slow: text('[slow:N]', 'N seconds before the first byte', 'the response'),
  drip: text('[drip:N]', 'N milliseconds between chunks', 'the response'),
};

export type TextDirectiveName = keyof typeof TEXT_DIRECTIVES;

type NumberDirective = 'long' | 'slow' | 'drip';

export function hasTextDirective(prompt: string, name: Exclude<TextDirectiveName, NumberDirective | 'tool'>): boolean {
  return hasWord(prompt, TEXT_DIRECTIVES[name]);
}

export function directiveNumber(prompt: string, name: NumberDirective): number | undefined {
  return numberIn(prompt, name);
}

const PLAIN = Object.values(TEXT_DIRECTIVES)
  .map(({ word }) => word)
  .filter((word) => !word.includes(':'))
  .map((word) => word.replaceAll(/[[\]]/g, String.raw`\$&`));
const ANY_DIRECTIVE = new RegExp(String.raw`${PLAIN.join('|')}|\[(?:long|slow|drip):[\d.]+\]`, 'gi');

/** Also closes the gaps that removed directives leave. */
export function withoutDirectives(prompt: string): string {
  let rest = prompt;
  for (const { from, to } of toolDirectives(prompt).toReversed()) rest = rest.slice(0, from) + rest.slice(to);
  const bare = rest.replaceAll(ANY_DIRECTIVE, '');
  return bare === prompt ? prompt.trim() : bare.replaceAll(/ {2,}/g, ' ').trim();
}
