import type { UpstreamAccount } from '../upstream.ts';

/** The key of an account whose vendor takes no call without one. @throws Error when it has none */
export function apiKeyOf({ kind, api_key: key }: UpstreamAccount): string {
  if (key === undefined) throw new Error(`an upstream of kind ${kind} needs an api_key`);
  return key;
}
