import { createHmac } from 'node:crypto';
import type { SignCall } from '../media/vendor-caller.ts';
import type { VendorClock } from '../media/vendor-clock.ts';
import type { UpstreamAccount } from '../upstream.ts';

/** Token lifetime in seconds. Kling docs, "API authentication": half an hour in every sample. */
const LIFE_SECONDS = 1800;
/** Max seconds that the vendor's clock may lag behind ours; from the same samples. */
const SLACK_SECONDS = 5;

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token of the older scheme: a JWT, HS256, signed with the bytes of the secret key. @param now Unix milliseconds */
function bearerToken(accessKey: string, secretKey: string, now: number): string {
  const seconds = Math.floor(now / 1000);
  const header = encoded({ alg: 'HS256', typ: 'JWT' });
  const payload = encoded({ iss: accessKey, exp: seconds + LIFE_SECONDS, nbf: seconds - SLACK_SECONDS });
  const signature = createHmac('sha256', secretKey).update(`${header}.${payload}`).digest('base64url');
  return `${header}.${payload}.${signature}`;
}

/**
 * Signs calls with the account's API key, or with a fresh token from its key pair.
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
