import { isAscii } from 'node:buffer';
import { JSON_BOUNDS, nestedTooDeeply, tooManyElements, tooMuchText } from './json-bounds.ts';

/** Most strings end within this many bytes, where a loop is as fast as a call to the native search. */
const NEAR = 48;
/** Strings up to this length always count toward the text limit. */
const LONG_STRING = 4 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;

/** Numbers that {@link JSON_BOUNDS} limits. Several pieces of JSON can share them. */
export interface JsonCounts {
  elements: number;
  values: number;
}

/**
 * Checks {@link JSON_BOUNDS} in one pass and stops at the first violation. JSON with a syntax error is checked only up
 * to the error and is not rejected here.
 * @param bytes UTF-8 JSON
 * @param onLongString receives the positions of both quotes of each string longer than {@link LONG_STRING}
 * @param counts what earlier pieces have used; increased by this piece
 * @throws GatewayError
 */
export function scanJson(
  bytes: Uint8Array,
  onLongString?: (open: number, close: number) => void,
  counts?: JsonCounts,
): void {
  const { length } = bytes;
  let elements = counts?.elements ?? 0;
  let values = counts?.values ?? 0;
  let depth = 0;
  /** Increases with each long string without escapes, because such strings do not count toward the text limit. */
  let maxEnd: number = JSON_BOUNDS.textBytes;
  let at = 0;
  while (at < length && at < maxEnd) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      elements += 1;
      if (elements > JSON_BOUNDS.elements) throw tooManyElements();
      const close = closingQuote(bytes, at, maxEnd);
      if (close === -1) return;
      if (close - at > LONG_STRING) {
        if (isPlain(bytes.subarray(at + 1, close))) maxEnd += close - at;
        onLongString?.(at, close);
      }
      at = close;
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      elements += 1;
      depth += 1;
      if (elements > JSON_BOUNDS.elements) throw tooManyElements();
      if (depth > JSON_BOUNDS.depth) throw nestedTooDeeply();
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      depth -= 1;
    } else if (byte === COMMA) {
      values += 1;
      if (values > JSON_BOUNDS.values) throw tooManyElements();
    }
    at += 1;
  }
  if (at < length || length > maxEnd) throw tooMuchText();
  if (counts) Object.assign(counts, { elements, values });
}

/** Whether the decoded text equals its bytes, as for base64. */
function isPlain(content: Uint8Array): boolean {
  return !content.includes(BACKSLASH) && isAscii(content);
}

/**
 * @param maxEnd position where the text limit ends; it applies to strings with escaped quotes. @returns -1 if there is
 * no closing quote
 */
function closingQuote(bytes: Uint8Array, open: number, maxEnd: number): number {
  for (let at = nextQuote(bytes, open + 1); at !== -1; at = nextQuote(bytes, at + 1)) {
    let slashes = 0;
    while (bytes[at - 1 - slashes] === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return at;
    if (at > maxEnd) throw tooMuchText();
  }
  return -1;
}

function nextQuote(bytes: Uint8Array, from: number): number {
  const near = Math.min(from + NEAR, bytes.length);
  for (let at = from; at < near; at += 1) if (bytes[at] === QUOTE) return at;
  return bytes.indexOf(QUOTE, near);
}
