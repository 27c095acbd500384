import { estimateTextTokens } from './estimate-tokens.ts';

/** Where a text begins that a model says, in the streams of all text protocols. */
const TEXT_MEMBER =
  /"(?:text|content|delta|thinking|partial_json|arguments|reasoning|reasoning_content|refusal)"\s*:\s*"/g;

/** An event of responses that repeats what its deltas have said. Within a string, these quotes would be escaped. */
const REPEATED_EVENT = /"type"\s*:\s*"response\.(?!\w+(?:\.\w+)*\.delta")/;

/**
 * About how many tokens of an answer stand in events of its stream: for clients that leave before usage is told.
 * @param events whole events, as they are sent
 */
export function sentTokens(events: string): number {
  if (!events.includes('"response.')) return textMemberTokens(events);
  const fresh = events.split(/\r?\n\r?\n/).filter((event) => !REPEATED_EVENT.test(event));
  return fresh.reduce((sum, event) => sum + textMemberTokens(event), 0);
}

function textMemberTokens(events: string): number {
  let tokens = 0;
  for (const { 0: member, index } of events.matchAll(TEXT_MEMBER)) {
    const start = index + member.length;
    const end = closingQuote(events, start);
    if (end === -1) break;
    tokens += estimateTextTokens(events.slice(start, end));
  }
  return tokens;
}

/** Where a JSON string ends; -1 when it does not. By hand: regular expressions give up on strings of megabytes. */
function closingQuote(text: string, start: number): number {
  for (let at = text.indexOf('"', start); at !== -1; at = text.indexOf('"', at + 1)) {
    let begin = at;
    while (text[begin - 1] === '\\' && begin > start) begin -= 1;
    if ((at - begin) % 2 === 0) return at;
  }
  return -1;
}
