import { randomBytes } from 'node:crypto';
import { TOKEN_PREFIX, type TextRequest } from '@sluice/protocols';

/** A request's body in which a placeholder replaces the end of each long string. Media in it is cheap to decode. */
export interface RequestOutline {
  body: Record<string, unknown>;
  /** Restores the long strings of a text from the decoded body. */
  complete: CompleteText;
}

/** @param format `json` if the text is a serialized value, so that the restored strings are escaped */
export type CompleteText = (this: void, text: string, format?: 'text' | 'json') => string;

type LongString = TextRequest['skeleton']['longStrings'][number];

/**
 * A client must not be able to guess it, because each placeholder in its texts would be replaced by a long string. It
 * is valid base64, and its length with an index keeps the length of base64 valid.
 */
const PLACEHOLDER = randomBytes(13).toString('hex');
const PLACEHOLDERS = new RegExp(`${PLACEHOLDER}(\\d{6})`, 'g');
const MAX_STRINGS = 1_000_000;
/** Number of bytes kept of a string. A multiple of 4, as base64 requires. */
const HEAD_BYTES = 64;
/** Maximum length of the part of a data URL before the data. */
const URL_HEAD_BYTES = 256;

const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/** @returns undefined if the decoded text can depend on the content of the long strings */
export function outlineOf(request: TextRequest): RequestOutline | undefined {
  const { bytes, skeleton } = request;
  const { longStrings } = skeleton;
  if (longStrings.length > MAX_STRINGS || readsContent(request)) return undefined;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const heads = longStrings.map((string) => headEnd(buffer, string));
  const parts: Buffer[] = [];
  let at = 0;
  for (const [index, { close }] of longStrings.entries()) {
    parts.push(buffer.subarray(at, heads[index]), Buffer.from(PLACEHOLDER + String(index).padStart(6, '0')));
    at = close;
  }
  parts.push(buffer.subarray(at));
  const restOf = (placeholder: string, digits: string): string => {
    const string = longStrings[Number(digits)];
    const from = heads[Number(digits)];
    return string ? String(JSON.parse(`"${buffer.toString('utf8', from, string.close)}"`)) : placeholder;
  };
  const escapedRestOf = (placeholder: string, digits: string): string =>
    JSON.stringify(restOf(placeholder, digits)).slice(1, -1);
  return {
    // The cast is safe because the request's body is an object.
    body: JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>,
    complete: (text, format) =>
      text.includes(PLACEHOLDER) ? text.replaceAll(PLACEHOLDERS, format === 'json' ? escapedRestOf : restOf) : text,
  };
}

/** Opaque tokens can contain text, and Gemini sends text files as base64. */
function readsContent(request: TextRequest): boolean {
  return request.mentionsBeginning(TOKEN_PREFIX) || /text\\?\/plain/i.test(request.skeleton.text);
}

/** Returns where the placeholder begins: not inside an escape sequence or a character, and between groups of base64. */
function headEnd(buffer: Buffer, { open, close }: LongString): number {
  const start = open + 1;
  const comma = buffer.subarray(start, start + URL_HEAD_BYTES).indexOf(COMMA);
  const isDataUrl = buffer.toString('latin1', start, start + 5).toLowerCase() === 'data:';
  const from = isDataUrl ? start + comma + 1 : start;
  let end = Math.min(from + HEAD_BYTES, close);
  const escape = buffer.subarray(start, end).indexOf(BACKSLASH);
  if (escape !== -1) end = start + escape;
  if (end > from) end -= (end - from) % 4;
  while (end > start && ((buffer[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return end;
}
