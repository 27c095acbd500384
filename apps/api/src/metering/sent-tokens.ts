import { estimateTextTokens } from './estimate-tokens.ts';

const TEXT_MEMBER =
  /"(?:text|content|delta|thinking|partial_json|arguments|reasoning|reasoning_content|refusal)"\s*:\s*"/g;

/**
 * Matches a responses event that repeats the text of earlier deltas. Inside a JSON string, these quotes would be
 * escaped.
 */
const REPEATED_EVENT = /"type"\s*:\s*"response\.(?!\w+(?:\.\w+)*\.delta")/;

/** Estimates the output tokens of complete stream events, for clients that disconnect before the usage is reported. */
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

/** Returns the index of a JSON string's closing quote, or -1. Regular expressions fail on very long strings. */
function closingQuote(text: string, start: number): number {
  for (let at = text.indexOf('"', start); at !== -1; at = text.indexOf('"', at + 1)) {
    let begin = at;
    while (text[begin - 1] === '\\' && begin > start) begin -= 1;
    if ((at - begin) % 2 === 0) return at;
  }
  return -1;
}
