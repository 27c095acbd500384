import { timingSafeEqual } from 'node:crypto';
import { volcError } from './volc-error.ts';
import { canonicalRequest, headerOf, hmac, sha256, type SignedRequest, signingKey } from './volc-signature.ts';

export interface VolcAccount {
  accessKey: string;
  secretKey: string;
  region: string;
  service: string;
  now: number;
}

const SKEW_MS = 15 * 60 * 1000;
const AUTHORIZATION =
  /^HMAC-SHA256 Credential=([^/,\s]+)\/(\d{8})\/([^/,\s]+)\/([^/,\s]+)\/request, ?SignedHeaders=([^,\s]+), ?Signature=([0-9a-f]{64})$/;

/** Parses `YYYYMMDDThhmmssZ`. Returns NaN for any other text. */
function timeOf(text: string): number {
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text) ?? [];
  const [year = Number.NaN, month = 1, ...rest] = parts.map(Number);
  return Date.UTC(year, month - 1, ...rest);
}

const MISMATCH =
  'The request signature we calculated does not match the signature you provided. Check your Secret Access Key and signing method. Consult the service documentation for details.';

function mismatch(): Error {
  return volcError(401, 'SignatureDoesNotMatch', 100_010, MISMATCH);
}

function missing(information: string): Error {
  return volcError(400, 'MissingRequestInfo', 100_004, `The request is missing ${information} information.`);
}

/**
 * Checks Signature V4 (Volcengine docs 6369/67269), an HMAC-SHA256 of the method, path, query, listed headers, and
 * body.
 * @throws WireError 400 for a missing or wrong time, 401 for a wrong key or signature.
 */
export function checkVolcSignature(request: SignedRequest, account: VolcAccount): void {
  const authorization = headerOf(request, 'authorization');
  if (authorization === undefined) throw missing('Authorization');
  const date = headerOf(request, 'x-date');
  if (date === undefined) throw missing('X-Date');
  const [, key, day = '', region, service, signedHeaders = '', signature = ''] =
    AUTHORIZATION.exec(authorization) ?? [];
  const { accessKey, secretKey, now } = account;
  if (!(Math.abs(now - timeOf(date)) <= SKEW_MS)) {
    throw volcError(400, 'InvalidTimestamp', 100_006, 'The Signature of the request is expired.');
  }
  if (key !== undefined && key !== accessKey) {
    throw volcError(401, 'InvalidAccessKey', 100_009, `The accesskey [${key}] included in the request is invalid.`);
  }
  const inScope = region === account.region && service === account.service && date.startsWith(day);
  const ownHash = headerOf(request, 'x-content-sha256') ?? sha256(request.body);
  const timed = signedHeaders.split(';').includes('x-date');
  if (key === undefined || !inScope || !timed || ownHash !== sha256(request.body)) throw mismatch();
  const scope = [day, region, service, 'request'].join('/');
  const text = ['HMAC-SHA256', date, scope, sha256(canonicalRequest(request, signedHeaders))].join('\n');
  const right = hmac(signingKey(secretKey, day, account.region, account.service), text);
  if (!timingSafeEqual(Buffer.from(signature, 'hex'), right)) throw mismatch();
}
