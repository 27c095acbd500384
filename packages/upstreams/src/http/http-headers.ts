import { kindTables, MANIFESTS, type VendorHeader } from '@sluice/vendors';

const COMMON_HEADERS = ['accept', 'authorization', 'content-type', 'range'] as const;

/** A request header that may be sent to an upstream. No other client header passes. */
export type SendableHeader = (typeof COMMON_HEADERS)[number] | VendorHeader;

const SENDABLE_HEADERS = [...COMMON_HEADERS, ...kindTables(MANIFESTS).headers] as readonly SendableHeader[];

/** Response headers that the gateway reads. */
const RESPONSE_HEADERS = [
  'content-length',
  'content-type',
  'date',
  'location',
  'openai-poll-after-ms',
  'retry-after',
  'retry-after-ms',
  'x-request-id',
] as const;

/** Response headers by lower-case name. */
export type ResponseHeaders = Partial<Record<(typeof RESPONSE_HEADERS)[number], string>>;

/** Drops request headers that may not be sent. */
export function sendableHeaders(headers: Partial<Record<SendableHeader, string>>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of SENDABLE_HEADERS) {
    const value = headers[name];
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}

/** Lower-cases header names, so that the same name is the same key. */
export function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Picks the response headers that the gateway reads; the first of repeated values wins. */
export function responseHeaders(headers: Record<string, string | string[] | undefined>): ResponseHeaders {
  const kept: ResponseHeaders = {};
  for (const name of RESPONSE_HEADERS) {
    const value = headers[name];
    const first = Array.isArray(value) ? value[0] : value;
    if (first !== undefined) kept[name] = first;
  }
  return kept;
}

/** The `content-length` in bytes, if present and valid. */
export function contentLength(headers: ResponseHeaders): number | undefined {
  const text = headers['content-length'];
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
