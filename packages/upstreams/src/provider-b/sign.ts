import { createHash, createHmac } from 'node:crypto';
import type { SignCall } from '../media/vendor-caller.ts';
import type { SignableCall } from '../media/media-wire.ts';
import type { VendorClock } from '../media/vendor-clock.ts';
import type { UpstreamAccount } from '../contract/upstream.ts';

/** Jimeng docs: "Region is cn-north-1 and Service is cv". The gateway also supports other regions. */
const DEFAULT_REGION = 'cn-north-1';
const SERVICE = 'cv';
/** The headers that `@volcengine/openapi` 1.36.2 signs. The vendor verifies the headers that a call lists as signed. */
const SIGNED_HEADERS = 'host;x-content-sha256;x-date';

/** A key pair and its region. Keys are used unchanged, because a secret may look like base64 without being base64. */
interface KeyPair {
  region: string;
  accessKey: string;
  secretKey: string;
}

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, data: string): Buffer => createHmac('sha256', key).update(data).digest();

/** Escapes all characters except letters, digits, and `-_.~` (RFC 3986). */
function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Formats a time, e.g. `20260102T030405Z`. */
function basicTime(now: number): string {
  return new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '');
}

/**
 * Signs a call with HMAC-SHA256. The key is derived from the secret, the day, the region, and the service (Volcengine
 * docs, "Signature method").
 * @param now Unix milliseconds; a signature is valid for minutes
 */
function signedHeaders(keys: KeyPair, { method, url, body }: Required<SignableCall>, now: number) {
  const time = basicTime(now);
  const date = time.slice(0, 8);
  const bodyHash = sha256(body);
  const query = [...url.searchParams]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .join('&');
  const headers = `host:${url.host}\nx-content-sha256:${bodyHash}\nx-date:${time}\n`;
  const request = [method, url.pathname, query, headers, SIGNED_HEADERS, bodyHash].join('\n');
  const scope = `${date}/${keys.region}/${SERVICE}/request`;
  const key = hmac(hmac(hmac(hmac(keys.secretKey, date), keys.region), SERVICE), 'request');
  const signature = hmac(key, ['HMAC-SHA256', time, scope, sha256(request)].join('\n')).toString('hex');
  return {
    'x-date': time,
    'x-content-sha256': bodyHash,
    authorization: `HMAC-SHA256 Credential=${keys.accessKey}/${scope}, SignedHeaders=${SIGNED_HEADERS}, Signature=${signature}`,
  };
}

/** @throws Error if the account lacks a key */
export function signer(account: UpstreamAccount, clock: VendorClock): SignCall {
  const { access_key: accessKey, secret_key: secretKey, region = DEFAULT_REGION } = account;
  if (accessKey === undefined || secretKey === undefined) {
    throw new Error('an upstream of kind provider-b needs an access_key and a secret_key');
  }
  return ({ method, url, body = Buffer.alloc(0) }) =>
    signedHeaders({ accessKey, secretKey, region }, { method, url, body }, clock.now());
}
