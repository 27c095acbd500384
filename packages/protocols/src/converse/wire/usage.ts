import type { Usage } from '@sluice/canonical';
import { isRecord } from '../../json/is-record.ts';
import { asObjects, objectOrEmpty } from '../../json/values.ts';
import { tokenCount } from '../../text/token-count.ts';
import { decodeServiceTier } from './service-tier.ts';

/**
 * Decodes `TokenUsage`. Its input count excludes tokens that were read from or written to caches.
 * @param tier the `serviceTier` next to the usage
 * @returns undefined if both input and output counts are missing
 */
export function decodeUsage(usage: unknown, tier?: unknown): Usage | undefined {
  if (!isRecord(usage)) return undefined;
  const read = tokenCount(usage['cacheReadInputTokens']);
  const written = tokenCount(usage['cacheWriteInputTokens']);
  const input = tokenCount(usage['inputTokens']);
  const output = tokenCount(usage['outputTokens']);
  if (input === undefined && output === undefined) return undefined;
  const hour = asObjects(usage['cacheDetails']).find(({ ttl }) => ttl === '1h');
  return {
    inputTokens: (input ?? 0) + (read ?? 0) + (written ?? 0),
    outputTokens: output ?? 0,
    cachedTokens: read,
    cacheWriteTokens: written,
    cacheWrite1hTokens: tokenCount(objectOrEmpty(hour)['inputTokens']),
    serviceTier: decodeServiceTier(tier),
  };
}
