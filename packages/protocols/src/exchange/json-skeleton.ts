import { scanJson } from '../json/scan-json.ts';
import { binaryText } from './binary-text.ts';

/** Where a shortened string is in the original bytes. Both positions are those of its quotes. */
interface LongString {
  open: number;
  close: number;
}

/** A JSON text with shortened strings, and a mapping from its positions to the original bytes. */
export interface JsonSkeleton {
  /** Has one character per byte. */
  text: string;
  /** Maps a position in the text to a position in the bytes. */
  byteAt(this: void, position: number): number;
  /** The shortened strings in their order. */
  longStrings: readonly LongString[];
}

/** Number of characters kept of a long string, enough to recognize a token's prefix. */
const PREFIX = 4;

const BACKSLASH = 0x5c;

/**
 * Shortens long strings, so that a request with megabytes of image data is cheap to parse, search, and measure.
 * @param bytes UTF-8 JSON; invalid JSON yields an invalid text
 * @throws GatewayError if the JSON exceeds the limits of {@link scanJson}
 */
export function jsonSkeleton(bytes: Uint8Array): JsonSkeleton {
  const chunks: string[] = [];
  const cuts: { position: number; bytes: number }[] = [];
  const longStrings: LongString[] = [];
  let copied = 0;
  let length = 0;
  const copyTo = (end: number): void => {
    chunks.push(binaryText(bytes.subarray(copied, end)));
    length += end - copied;
    copied = end;
  };
  scanJson(bytes, (open, close) => {
    copyTo(open + 1 + prefixLength(bytes, open + 1));
    cuts.push({ position: length, bytes: close - copied });
    longStrings.push({ open, close });
    copied = close;
  });
  copyTo(bytes.length);
  return {
    text: chunks.join(''),
    byteAt: (position) => cuts.reduce((at, cut) => (position >= cut.position ? at + cut.bytes : at), position),
    longStrings,
  };
}

/** Avoids a cut inside an escape sequence, which would make the text invalid. */
function prefixLength(bytes: Uint8Array, start: number): number {
  return bytes.subarray(start, start + PREFIX).includes(BACKSLASH) ? 0 : PREFIX;
}
