import type { UpstreamAccount } from '../upstream.ts';

/** The API key. @throws Error if the account has none */
export function apiKeyOf({ kind, api_key: key }: UpstreamAccount): string {
  if (key === undefined) throw new Error(`an upstream of kind ${kind} needs an api_key`);
  return key;
}

/** The credential of OpenAI's protocols; empty without a key, as for a local server. */
export function bearerOf({ api_key: key }: UpstreamAccount): { authorization?: string } {
  return key === undefined ? {} : { authorization: `Bearer ${key}` };
}
