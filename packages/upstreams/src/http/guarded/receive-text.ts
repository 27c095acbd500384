import { cutText } from '@sluice/canonical';
import { discard, type Received } from '../send-request.ts';

/** The part of a response that is stored and shown to people. */
export interface ReceivedText {
  headers: Record<string, string>;
  /** The beginning of the body. Absent if the body is empty or not text. */
  body?: string;
  /** Whether the body was longer. */
  isTruncated?: boolean;
}

/** Response bytes above this limit are discarded. */
const MAX_RESPONSE_BYTES = 64 * 1024;
const MAX_TEXT_CHARS = 4_096;
/** UTF-8 has at most four bytes in a character. */
const MAX_TEXT_BYTES = 4 * MAX_TEXT_CHARS;
const MAX_HEADER_CHARS = 256;

/** Headers that explain a response. Others, such as cookies, may be secret. */
const HEADERS = ['content-type', 'date', 'location', 'retry-after', 'server', 'x-request-id'] as const;
const TEXT_TYPE = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|x-www-form-urlencoded)\b)/i;
/** Credentials that a server may return from the request, and common forms of others. */
const SECRETS = /\b(?:whsec_|v1,|sk-|Bearer\s+)[\w.~+/=-]+/gi;
const MASK = '[removed]';

/** Reads a short response to its end, so that the connection can be reused. Aborts a long, slow, or broken response. */
export async function receiveText({ headers, body }: Received): Promise<ReceivedText> {
  const kept: Uint8Array[] = [];
  let bytes = 0;
  try {
    // The cast is safe because undici response bodies yield only buffers.
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      if (bytes < MAX_TEXT_BYTES) kept.push(chunk.subarray(0, MAX_TEXT_BYTES - bytes));
      bytes += chunk.byteLength;
      if (bytes > MAX_RESPONSE_BYTES) break;
    }
  } catch {
    // The status is already known, so a broken body does not matter.
  } finally {
    discard(body);
  }
  return { headers: shownHeaders(headers), ...shownBody(headers, Buffer.concat(kept), bytes) };
}

type Headers = Received['headers'];

function shownHeaders(headers: Headers): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const name of HEADERS) {
    const value = valueOf(headers, name);
    if (value === undefined) continue;
    // The query of an address may have a token.
    const safe = name === 'location' ? value.replace(/[?#].*$/s, '').replace(/\/\/[^/@]*@/, '//') : value;
    shown[name] = cutText(safe.replaceAll(SECRETS, MASK), MAX_HEADER_CHARS);
  }
  return shown;
}

function shownBody(headers: Headers, kept: Buffer, bytes: number): Pick<ReceivedText, 'body' | 'isTruncated'> {
  const type = valueOf(headers, 'content-type');
  const encoding = valueOf(headers, 'content-encoding') ?? 'identity';
  if (kept.length === 0 || encoding !== 'identity' || (type !== undefined && !TEXT_TYPE.test(type))) return {};
  const isLonger = bytes > kept.length;
  // With `stream`, the decoder drops the beginning of a character at the end.
  const text = new TextDecoder().decode(kept, { stream: isLonger });
  if (/[\0\uFFFD]/.test(text)) return {};
  const masked = text.replaceAll(SECRETS, MASK);
  const isTruncated = isLonger || masked.length > MAX_TEXT_CHARS;
  return { body: cutText(masked, MAX_TEXT_CHARS), ...(isTruncated && { isTruncated }) };
}

function valueOf(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}
