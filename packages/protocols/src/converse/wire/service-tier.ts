import type { LossReport } from '@sluice/canonical';
import { asString, objectOrEmpty } from '../../json/values.ts';

const TIERS: ReadonlySet<string> = new Set(['default', 'flex', 'priority', 'reserved']);

/** Encodes `serviceTier`. Bedrock has no tier `auto`, which is every vendor's default. */
export function encodeServiceTier(tier: string | undefined, report: LossReport): { type: string } | undefined {
  if (tier === undefined || tier === 'auto') return undefined;
  if (tier === 'standard' || tier === 'standard_only') return { type: 'default' };
  if (TIERS.has(tier)) return { type: tier };
  report({ field: 'service_tier', how: 'dropped' });
  return undefined;
}

export function decodeServiceTier(tier: unknown): string | undefined {
  return asString(objectOrEmpty(tier)['type']);
}
