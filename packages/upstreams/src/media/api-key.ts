import type { UpstreamAccount } from '../upstream.ts';

/** The key of an account whose vendor takes no call without one. @throws Error when it has none */
export function apiKeyOf({ kind, api_key: key }: UpstreamAccount): string {
  if (key === undefined) throw new Error(`an upstream of kind ${kind} needs an api_key`);
  return key;
}

/** The credential of vendors that speak OpenAI's protocols; none where the account has no key, as for a local server. */
export function bearerOf({ api_key: key }: UpstreamAccount): { authorization?: string } {
  return key === undefined ? {} : { authorization: `Bearer ${key}` };
}
