import { randomBytes } from 'node:crypto';
import { hasOwnSignature, parseToken, signToken } from './json-web-token.ts';

export interface EntraTokens {
  /** Issues an access token. @param lifetimeMs how long it is accepted */
  issue(audience: string, client: string, lifetimeMs: number): string;
  /** Whether a token is for the audience, and is neither expired nor revoked. */
  isValid(token: string, audience: string): boolean;
  /** Ends all tokens that were issued until now, although they have not expired. */
  revokeAll(): void;
}

/** @param now Unix milliseconds */
export function createEntraTokens(now: () => number): EntraTokens {
  const secret = randomBytes(32).toString('hex');
  let issued = 0;
  let revoked = 0;
  return {
    issue(audience, client, lifetimeMs) {
      issued += 1;
      const exp = (now() + lifetimeMs) / 1_000;
      return signToken({ iss: 'sandbox-entra', aud: audience, appid: client, exp, number: issued }, secret);
    },
    isValid(text, audience) {
      const token = parseToken(text);
      if (!token || !hasOwnSignature(token, secret)) return false;
      const { aud, exp, number } = token.claims;
      return aud === audience && Number(exp) * 1_000 > now() && Number(number) > revoked;
    },
    revokeAll() {
      revoked = issued;
    },
  };
}
