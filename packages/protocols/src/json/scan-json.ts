import { isAscii } from 'node:buffer';
import { JSON_BOUNDS, nestedTooDeeply, tooManyElements, tooMuchText } from './json-bounds.ts';

/** Most strings end within this many bytes; the native search costs as much to call. */
const NEAR = 48;
/** Strings up to this length count as text, whatever they contain. */
const LONG_STRING = 4 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;

/**
 * Checks {@link JSON_BOUNDS} in one pass, and stops at the first violation. Invalid JSON passes, up to its error.
 * @param bytes UTF-8 JSON
 * @param onLongString gets the positions of both quotes of each string longer than {@link LONG_STRING}
 * @throws GatewayError
 */
export function scanJson(bytes: Uint8Array, onLongString?: (open: number, close: number) => void): void {
  const { length } = bytes;
  let elements = 0;
  let values = 0;
  let depth = 0;
  /** Grows by each long string without escapes, which does not count as text. */
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
}

/** Whether the text equals its bytes, as base64 does. */
function isPlain(content: Uint8Array): boolean {
  return !content.includes(BACKSLASH) && isAscii(content);
}

/** @param maxEnd of the text, which a string with an escaped quote is. @returns -1 without a quote */
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
