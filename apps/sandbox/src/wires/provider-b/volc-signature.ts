import { createHash, createHmac } from 'node:crypto';

export interface SignedRequest {
  method: string;
  url: string;
  /** The keys are lower-case header names. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
}

export function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}

export function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/** Encodes all but the unreserved characters of RFC 3986. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Sorts by name before encoding, as Volcengine's SDK does. */
function canonicalQuery(query: string): string {
  const pairs = [...new URLSearchParams(query)].map(([name, value]) => ({
    name,
    text: `${encode(name)}=${encode(value)}`,
  }));
  const sorted = pairs.toSorted((a, b) => (a.name === b.name ? (a.text < b.text ? -1 : 1) : a.name < b.name ? -1 : 1));
  return sorted.map(({ text }) => text).join('&');
}

export function headerOf({ headers }: SignedRequest, name: string): string | undefined {
  const value = headers[name];
  const text = Array.isArray(value) ? value.join(',') : value;
  return text?.replaceAll(/\s+/g, ' ').trim();
}

/** Returns the text to sign. The headers are in the order of the client's list. */
export function canonicalRequest(request: SignedRequest, signedHeaders: string): string {
  const [path = '/', query = ''] = request.url.split('?');
  const lines = signedHeaders.split(';').map((name) => `${name}:${headerOf(request, name) ?? ''}\n`);
  const parts = [request.method, path, canonicalQuery(query), lines.join(''), signedHeaders, sha256(request.body)];
  return parts.join('\n');
}

/** Derives the key in four HMAC steps. Unlike Amazon's signature, the secret has no prefix. */
export function signingKey(secretKey: string, date: string, region: string, service: string): Buffer {
  return hmac(hmac(hmac(hmac(secretKey, date), region), service), 'request');
}
