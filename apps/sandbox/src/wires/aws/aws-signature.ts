import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

export interface SignedRequest {
  method: string;
  /** The path and query, as received. */
  url: string;
  /** By lower-case header names. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
}

interface SignatureScope {
  accessKey: string;
  /** `YYYYMMDD`. */
  day: string;
  region: string;
  service: string;
}

export interface ParsedSignature {
  scope: SignatureScope;
  signedHeaders: string[];
  signature: string;
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/,\s]+)\/(\d{8})\/([^/,\s]+)\/([^/,\s]+)\/aws4_request, ?SignedHeaders=([^,\s]+), ?Signature=([0-9a-f]{64})$/;

/** Parses an `authorization` header. Returns undefined for any other scheme. */
export function parseAuthorization(authorization: string): ParsedSignature | undefined {
  const match = AUTHORIZATION.exec(authorization);
  if (!match) return undefined;
  const [, accessKey = '', day = '', region = '', service = '', signedHeaders = '', signature = ''] = match;
  return { scope: { accessKey, day, region, service }, signedHeaders: signedHeaders.split(';'), signature };
}

/** Returns the Signature Version 4 of a request (AWS IAM user guide, "Create a signed AWS API request"). */
export function signatureOf(
  request: SignedRequest,
  secretKey: string,
  parsed: Omit<ParsedSignature, 'signature'>,
): string {
  const { day, region, service } = parsed.scope;
  const date = headerOf(request, 'x-amz-date') ?? '';
  const scope = [day, region, service, 'aws4_request'].join('/');
  const text = ['AWS4-HMAC-SHA256', date, scope, sha256(canonicalRequest(request, parsed))].join('\n');
  const key = hmac(hmac(hmac(hmac(`AWS4${secretKey}`, day), region), service), 'aws4_request');
  return hmac(key, text).toString('hex');
}

export function isSignature(sent: string, right: string): boolean {
  return sent.length === right.length && timingSafeEqual(Buffer.from(sent), Buffer.from(right));
}

export function headerOf({ headers }: SignedRequest, name: string): string | undefined {
  const value = headers[name];
  const text = Array.isArray(value) ? value.join(',') : value;
  return text?.replaceAll(/\s+/g, ' ').trim();
}

export function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}

function canonicalRequest(
  request: SignedRequest,
  { scope, signedHeaders }: Omit<ParsedSignature, 'signature'>,
): string {
  const [path = '/', query = ''] = request.url.split('?', 2);
  const lines = signedHeaders.map((name) => `${name}:${headerOf(request, name) ?? ''}\n`);
  return [
    request.method,
    canonicalPath(path, scope.service),
    canonicalQuery(query),
    lines.join(''),
    signedHeaders.join(';'),
    headerOf(request, 'x-amz-content-sha256') ?? sha256(request.body),
  ].join('\n');
}

/** All services except S3 resolve dots and encode the path a second time. */
function canonicalPath(path: string, service: string): string {
  if (service === 's3') return path;
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '.' && segment !== '') segments.push(encode(segment));
  }
  return `/${segments.join('/')}${path.endsWith('/') && segments.length > 0 ? '/' : ''}`;
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function canonicalQuery(query: string): string {
  const pairs = query.split('&').filter((pair) => pair !== '');
  const encoded = pairs.map((pair) => {
    const [name = '', value = ''] = pair.split(/=(.*)/s, 2).map((part) => encode(decodeURIComponent(part)));
    return { name, value };
  });
  return encoded
    .toSorted((a, b) => order(a.name, b.name) || order(a.value, b.value))
    .map(({ name, value }) => `${name}=${value}`)
    .join('&');
}

/** Encodes all but the unreserved characters of RFC 3986. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
