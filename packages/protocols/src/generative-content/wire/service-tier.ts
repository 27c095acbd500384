import { asNonEmptyString, objectOrEmpty } from '../../json/values.ts';

/** Reads the tier from `usageMetadata`. The vendor's values are lower case; its client libraries also send upper case. */
export function decodeServiceTier(usage: unknown): string | undefined {
  const tier = asNonEmptyString(objectOrEmpty(usage)['serviceTier'])?.toLowerCase();
  return tier === 'standard' ? 'default' : tier;
}

export function encodeServiceTier(tier: string | undefined): string | undefined {
  return tier === 'default' ? 'standard' : tier;
}
