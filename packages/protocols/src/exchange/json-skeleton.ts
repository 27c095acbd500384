import { binaryText } from './binary-text.ts';

/** A JSON text with shortened strings, and the mapping back to the bytes. */
export interface JsonSkeleton {
  text: string;
  byteAt(this: void, position: number): number;
}

const MAX_STRING = 4 * 1024;
/** Characters that remain of a longer string, enough to recognize its prefix. */
const PREFIX = 4;
/** Most strings end within this many bytes; the native search costs as much to call. */
const NEAR = 48;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Shortens long strings, so that a request with an image of megabytes is cheap to parse, search, and measure.
 * @param bytes UTF-8 JSON; invalid JSON gives an invalid text
 */
export function jsonSkeleton(bytes: Uint8Array): JsonSkeleton {
  const chunks: string[] = [];
  const cuts: { position: number; bytes: number }[] = [];
  let copied = 0;
  let length = 0;
  const copyTo = (end: number): void => {
    chunks.push(binaryText(bytes.subarray(copied, end)));
    length += end - copied;
    copied = end;
  };
  let open = nextQuote(bytes, 0);
  while (open !== -1) {
    const close = closingQuote(bytes, open);
    if (close === -1) break;
    if (close - open > MAX_STRING) {
      copyTo(open + 1 + prefixLength(bytes, open + 1));
      cuts.push({ position: length, bytes: close - copied });
      copied = close;
    }
    open = nextQuote(bytes, close + 1);
  }
  copyTo(bytes.length);
  return {
    text: chunks.join(''),
    byteAt: (position) => cuts.reduce((at, cut) => (position >= cut.position ? at + cut.bytes : at), position),
  };
}

/** Half an escape sequence would make the text invalid. */
function prefixLength(bytes: Uint8Array, start: number): number {
  return bytes.subarray(start, start + PREFIX).includes(BACKSLASH) ? 0 : PREFIX;
}

function closingQuote(bytes: Uint8Array, open: number): number {
  for (let at = nextQuote(bytes, open + 1); at !== -1; at = nextQuote(bytes, at + 1)) {
    let slashes = 0;
    while (bytes[at - 1 - slashes] === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return -1;
}

function nextQuote(bytes: Uint8Array, from: number): number {
  const near = Math.min(from + NEAR, bytes.length);
  for (let at = from; at < near; at += 1) if (bytes[at] === QUOTE) return at;
  return bytes.indexOf(QUOTE, near);
}
