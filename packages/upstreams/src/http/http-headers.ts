import { kindTables, MANIFESTS, type VendorHeader } from '@sluice/vendors';

const COMMON_HEADERS = ['accept', 'authorization', 'content-type', 'range'] as const;

export type SendableHeader = (typeof COMMON_HEADERS)[number] | VendorHeader;

const SENDABLE_HEADERS = [...COMMON_HEADERS, ...kindTables(MANIFESTS).headers] as readonly SendableHeader[];

const RESPONSE_HEADERS = [
  'content-length',
  'content-type',
  'date',
  'location',
  'openai-poll-after-ms',
  'retry-after',
  'retry-after-ms',
  'x-amzn-errortype',
  'x-goog-upload-url',
  'x-request-id',
  'x-should-retry',
] as const;

export type ResponseHeaders = Partial<Record<(typeof RESPONSE_HEADERS)[number], string>>;

export function sendableHeaders(headers: Partial<Record<SendableHeader, string>>): Record<string, string> {
  const picked: Record<string, string> = {};
  for (const name of SENDABLE_HEADERS) {
    const value = headers[name];
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}

export function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

export function responseHeaders(headers: Record<string, string | string[] | undefined>): ResponseHeaders {
  const picked: ResponseHeaders = {};
  for (const name of RESPONSE_HEADERS) {
    const value = headers[name];
    const first = Array.isArray(value) ? value[0] : value;
    if (first !== undefined) picked[name] = first;
  }
  return picked;
}

export function contentLength(headers: ResponseHeaders): number | undefined {
  const text = headers['content-length'];
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
