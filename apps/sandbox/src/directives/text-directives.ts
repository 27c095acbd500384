import { hasWord, numberIn, type PromptDirective } from './prompt-directive.ts';
import { toolDirectives } from './tool-directives.ts';

export const FAILED_CALLS = 2;
const FIRST_CALLS = `the first ${FAILED_CALLS} calls with this text`;

function text(word: string, effect: string, ending: string, times = 'every call'): PromptDirective {
  return { capability: 'text', call: 'any text API', times, word, effect, ending };
}

export const TEXT_DIRECTIVES = {
  tool: text(
    '[tool:NAME]',
    'calls the tool NAME of the request, with arguments generated from its schema; `[tool:NAME {"a":1}]` sets the arguments; several `[tool:NAME]` directives cause parallel calls',
    'tool calls; after the client sends the tool results, a response that quotes them',
  ),
  think: text(
    '[think]',
    'reasons before it responds, even if the request does not require it',
    'reasoning, then the response',
  ),
  redacted: text(
    '[redacted]',
    'reasons, but hides the reasoning (`redacted_thinking` for the kind `messages`)',
    'hidden reasoning, then the response',
  ),
  json: text(
    '[json]',
    'returns JSON that matches the schema of the request, or `{"answer": "…"}` without a schema',
    'JSON text',
  ),
  long: text('[long:N]', 'returns N words', 'N words'),
  empty: text(
    '[empty]',
    'returns a response without content',
    'a response without content, with the finish reason `stop`',
  ),
  refuse: text(
    '[refuse]',
    'refuses in the format of the kind: `refusal`, `stop_reason: refusal`, or `SAFETY`',
    'a refusal',
  ),
  filter: text(
    '[filter]',
    'blocks the prompt in the format of the kind: `content_filter`, `refusal`, or `promptFeedback`',
    'a response without content, with the finish reason `content_filter`',
  ),
  throttled: text(
    '[429]',
    'returns 429 with `retry-after: 1`, or with `RetryInfo` for the kind `generative-content`',
    'the response, after the third call',
    FIRST_CALLS,
  ),
  broken: text('[500]', 'returns 500 in the vendor’s format', 'the response, after the third call', FIRST_CALLS),
  overloaded: text(
    '[overloaded]',
    'returns 529 for the kind `messages`, and 503 for all other kinds',
    'an error, or another upstream’s response',
  ),
  unauthorized: text(
    '[401]',
    'refuses the key with 401 (400 `API_KEY_INVALID` for the kind `generative-content`)',
    'the error `provider_auth`, never 401',
  ),
  context: text(
    '[context]',
    'returns the vendor’s 400 for a prompt that is too long',
    '400, code `context_length_exceeded` or similar',
  ),
  error: text(
    '[error]',
    'sends an error after half of the chunks; without streaming, returns 500',
    'an error, in the stream if there is one',
  ),
  cut: text(
    '[cut]',
    'breaks the connection after half of the chunks; without streaming, after half of the body',
    'an error, because the stream must not look complete',
  ),
  garbled: text('[garbage]', 'returns 200 with a web page instead of JSON', 'an error'),
  slow: text('[slow:N]', 'waits N seconds before the first byte', 'the response'),
  drip: text('[drip:N]', 'waits N milliseconds between chunks', 'the response'),
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
const ANY_DIRECTIVE = new RegExp(String.raw`${PLAIN.join('|')}|\[(?:long|slow|drip):[\d.]+\]|\[batch:[^\]]*\]`, 'gi');

/** Removes the directives and the extra spaces that they leave behind. */
export function withoutDirectives(prompt: string): string {
  let rest = prompt;
  for (const { from, to } of toolDirectives(prompt).toReversed()) rest = rest.slice(0, from) + rest.slice(to);
  const bare = rest.replaceAll(ANY_DIRECTIVE, '');
  return bare === prompt ? prompt.trim() : bare.replaceAll(/ {2,}/g, ' ').trim();
}
