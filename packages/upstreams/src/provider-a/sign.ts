import { createHmac } from 'node:crypto';
import type { SignCall } from '../media/vendor-caller.ts';
import type { VendorClock } from '../media/vendor-clock.ts';
import type { UpstreamAccount } from '../contract/upstream.ts';

/** Token lifetime in seconds. Every sample in Kling docs, "API authentication", uses half an hour. */
const LIFE_SECONDS = 1800;
/** How far the vendor's clock may lag, in seconds. The value is from the same samples. */
const SLACK_SECONDS = 5;

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Creates an older-style token: an HS256 JWT, signed with the secret key's bytes. @param now Unix milliseconds */
function bearerToken(accessKey: string, secretKey: string, now: number): string {
  const seconds = Math.floor(now / 1000);
  const header = encoded({ alg: 'HS256', typ: 'JWT' });
  const payload = encoded({ iss: accessKey, exp: seconds + LIFE_SECONDS, nbf: seconds - SLACK_SECONDS });
  const signature = createHmac('sha256', secretKey).update(`${header}.${payload}`).digest('base64url');
  return `${header}.${payload}.${signature}`;
}

/**
 * Signs calls with the account's API key or, without one, with a new token from its key pair.
 * @throws Error if the account has neither
 */
export function signer(account: UpstreamAccount, clock: VendorClock): SignCall {
  const { api_key: apiKey, access_key: accessKey, secret_key: secretKey } = account;
  if (apiKey !== undefined) return () => ({ authorization: `Bearer ${apiKey}` });
  if (accessKey === undefined || secretKey === undefined) {
    throw new Error('an upstream of kind provider-a needs an api_key, or an access_key and a secret_key');
  }
  return () => ({ authorization: `Bearer ${bearerToken(accessKey, secretKey, clock.now())}` });
}
