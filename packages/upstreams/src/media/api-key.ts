import type { UpstreamAccount } from '../contract/upstream.ts';
import { keyHeader } from '../text/bearer.ts';
import type { SignCall } from './vendor-caller.ts';

/** Returns the API key. @throws Error if the account has none */
export function apiKeyOf({ kind, api_key: key }: UpstreamAccount): string {
  if (key === undefined) throw new Error(`an upstream of kind ${kind} needs an api_key`);
  return key;
}

/** Returns the header with the API key for OpenAI's protocols, or no header without a key, e.g. for a local server. */
export function keyHeaderOf(account: UpstreamAccount): Partial<Record<'authorization' | 'api-key', string>> {
  const { api_key: key, base_url: baseUrl } = account;
  return key === undefined ? {} : Object.fromEntries([keyHeader(key, baseUrl)]);
}

/** Signs calls with the API key in `authorization`. @param scheme the prefix of the key, e.g. `Bearer` */
export function keySigner(scheme: string): (account: UpstreamAccount) => SignCall {
  return (account) => {
    const authorization = `${scheme} ${apiKeyOf(account)}`;
    return () => ({ authorization });
  };
}
