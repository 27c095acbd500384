/** The position of a member's value in the JSON text. */
export interface JsonMember {
  start: number;
  end: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;

/**
 * Finds the members of a JSON object without parsing their values. A caller can then change one value and keep every
 * other byte. Values are not validated. If a member appears twice, the last one wins, as in `JSON.parse`.
 * @param from position of the object's `{` or of whitespace before it
 * @returns undefined if the text is not an object or is invalid at this level
 */
export function jsonMembers(
  text: string,
  from = 0,
  onRepeat?: (key: string) => void,
): Map<string, JsonMember> | undefined {
  const members = new Map<string, JsonMember>();
  let at = skipBlanks(text, from);
  if (text.charCodeAt(at) !== OPEN_OBJECT) return undefined;
  at = skipBlanks(text, at + 1);
  if (text.charCodeAt(at) === CLOSE_OBJECT) return members;
  for (;;) {
    if (text.charCodeAt(at) !== QUOTE) return undefined;
    const keyEnd = stringEnd(text, at);
    if (keyEnd === -1) return undefined;
    const key = readKey(text, at, keyEnd);
    at = skipBlanks(text, keyEnd);
    if (text.charCodeAt(at) !== COLON) return undefined;
    const start = skipBlanks(text, at + 1);
    const end = skipValue(text, start);
    if (end === -1) return undefined;
    if (onRepeat && members.has(key)) onRepeat(key);
    members.set(key, { start, end });
    at = skipBlanks(text, end);
    const next = text.charCodeAt(at);
    if (next === CLOSE_OBJECT) return members;
    if (next !== COMMA) return undefined;
    at = skipBlanks(text, at + 1);
  }
}

/** Returns the position of the `}` that ends the object at `from`, or undefined as for {@link jsonMembers}. */
export function jsonObjectEnd(text: string, from = 0): number | undefined {
  const start = skipBlanks(text, from);
  if (text.charCodeAt(start) !== OPEN_OBJECT) return undefined;
  const end = skipValue(text, start);
  return end === -1 ? undefined : end - 1;
}

function readKey(text: string, start: number, end: number): string {
  const raw = text.slice(start, end);
  if (!raw.includes('\\')) return raw.slice(1, -1);
  try {
    return String(JSON.parse(raw));
  } catch {
    return raw;
  }
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
    at += 1;
  }
}

/** Returns the position after the closing quote, or -1 if there is none. */
function stringEnd(text: string, start: number): number {
  let at = start;
  for (;;) {
    at = text.indexOf('"', at + 1);
    if (at === -1) return -1;
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
}

/** Returns the position after the value, or -1 if the value is incomplete. */
function skipValue(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === QUOTE) return stringEnd(text, start);
  if (first !== OPEN_OBJECT && first !== OPEN_ARRAY) return skipScalar(text, start);
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = stringEnd(text, at);
      if (at === -1) return -1;
      continue;
    }
    if (code === OPEN_OBJECT || code === OPEN_ARRAY) depth += 1;
    else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
    at += 1;
  }
  return -1;
}

/** Skips a number, `true`, `false`, or `null`, up to the next delimiter. */
function skipScalar(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === COMMA || code === CLOSE_OBJECT || code === CLOSE_ARRAY || code <= 0x20) break;
    at += 1;
  }
  return at === start ? -1 : at;
}
