import { asNonEmptyString, objectOrEmpty } from '../../json/values.ts';

/** Reads the tier from `usage`. */
export function decodeServiceTier(usage: unknown): string | undefined {
  const tier = asNonEmptyString(objectOrEmpty(usage)['service_tier']);
  return tier === 'standard' ? 'default' : tier;
}

export function encodeServiceTier(tier: string | undefined): string | undefined {
  return tier === 'default' ? 'standard' : tier;
}
