import { estimateTextTokens } from './estimate-tokens.ts';

/** Names of the members that contain generated text. */
const TEXT_MEMBERS = [
  'text',
  'content',
  'delta',
  'thinking',
  'partial_json',
  'arguments',
  'reasoning',
  'reasoning_content',
  'refusal',
].map((name) => `"${name}"`);

/** The same names by their last letter, because most members of an event have another one. */
const BY_LAST_LETTER: readonly (readonly string[] | undefined)[] = Array.from({ length: 128 }, (_, code) => {
  const names = TEXT_MEMBERS.filter((quoted) => quoted.charCodeAt(quoted.length - 2) === code);
  return names.length > 0 ? names : undefined;
});

/**
 * Matches a responses event that repeats the text of earlier deltas. Inside a JSON string, these quotes would be
 * escaped.
 */
const REPEATED_EVENT = /"type"\s*:\s*"response\.(?!\w+(?:\.\w+)*\.delta")/;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;

/**
 * Estimates the output tokens of complete stream events, for clients that disconnect before the usage is reported.
 * @param protocol the client's protocol; if omitted, it may be any
 */
export function sentTokens(events: string, protocol = 'responses'): number {
  if (protocol !== 'responses' || !events.includes('"response.')) return textMemberTokens(events);
  const fresh = events.split(/\r?\n\r?\n/).filter((event) => !REPEATED_EVENT.test(event));
  return fresh.reduce((sum, event) => sum + textMemberTokens(event), 0);
}

/** Called for each event of each stream, so it uses no regular expression. */
function textMemberTokens(events: string): number {
  let tokens = 0;
  let colon = firstColon(events);
  while (colon !== -1) {
    const start = valueStart(events, colon);
    const end = start === -1 ? colon : closingQuote(events, start);
    if (end === -1) break;
    if (start !== -1) tokens += estimateTextTokens(events.slice(start, end));
    colon = events.indexOf(':', end + 1);
  }
  return tokens;
}

/** Skips the first event's metadata, because in most protocols its text is in a member `delta`. */
function firstColon(events: string): number {
  const delta = events.indexOf('delta"');
  return events.indexOf(':', delta === -1 ? 0 : delta);
}

/** Returns the index after the opening quote of a text member's value, or -1. @param colon the index of any colon */
function valueStart(events: string, colon: number): number {
  let before = colon - 1;
  while (isBlank(events.charCodeAt(before))) before -= 1;
  if (events.charCodeAt(before) !== QUOTE) return -1;
  if (!isTextMember(events, before + 1)) return -1;
  let after = colon + 1;
  while (isBlank(events.charCodeAt(after))) after += 1;
  return events.charCodeAt(after) === QUOTE ? after + 1 : -1;
}

/** Whether one of {@link TEXT_MEMBERS} ends at the index. */
function isTextMember(events: string, end: number): boolean {
  const names = BY_LAST_LETTER[events.charCodeAt(end - 2)];
  if (names === undefined) return false;
  for (const name of names) if (events.startsWith(name, end - name.length)) return true;
  return false;
}

function isBlank(code: number): boolean {
  return code === SPACE || (code >= 0x09 && code <= 0x0d);
}

/** Returns the index of a JSON string's closing quote, or -1. Regular expressions fail on very long strings. */
function closingQuote(text: string, start: number): number {
  for (let at = text.indexOf('"', start); at !== -1; at = text.indexOf('"', at + 1)) {
    let begin = at;
    while (text.charCodeAt(begin - 1) === BACKSLASH && begin > start) begin -= 1;
    if ((at - begin) % 2 === 0) return at;
  }
  return -1;
}
