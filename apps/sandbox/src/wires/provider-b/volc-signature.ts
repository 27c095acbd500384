import { createHash, createHmac } from 'node:crypto';

/** A request as its bytes came in. */
export interface SignedRequest {
  method: string;
  /** Path and query. */
  url: string;
  /** By lower-case name. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
}

/** In lower-case hexadecimal. */
export function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}

/** HMAC-SHA256. */
export function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/** Unreserved characters of RFC 3986 stand for themselves, all others are percent-encoded. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** By name as it is before it is encoded, as Volcengine's own SDK sorts. */
function canonicalQuery(query: string): string {
  const pairs = [...new URLSearchParams(query)].map(([name, value]) => ({
    name,
    text: `${encode(name)}=${encode(value)}`,
  }));
  const sorted = pairs.toSorted((a, b) => (a.name === b.name ? (a.text < b.text ? -1 : 1) : a.name < b.name ? -1 : 1));
  return sorted.map(({ text }) => text).join('&');
}

/** A header's value, its spaces made one. */
export function headerOf({ headers }: SignedRequest, name: string): string | undefined {
  const value = headers[name];
  const text = Array.isArray(value) ? value.join(',') : value;
  return text?.replaceAll(/\s+/g, ' ').trim();
}

/** The request in the form that is signed; its lines follow the caller's own list of signed headers. */
export function canonicalRequest(request: SignedRequest, signedHeaders: string): string {
  const [path = '/', query = ''] = request.url.split('?');
  const lines = signedHeaders.split(';').map((name) => `${name}:${headerOf(request, name) ?? ''}\n`);
  const parts = [request.method, path, canonicalQuery(query), lines.join(''), signedHeaders, sha256(request.body)];
  return parts.join('\n');
}

/** The key that signs the requests of a day in a region to a service: four steps, and no prefix as at Amazon. */
export function signingKey(secretKey: string, date: string, region: string, service: string): Buffer {
  return hmac(hmac(hmac(hmac(secretKey, date), region), service), 'request');
}
