import type { Usage } from '@sluice/canonical';
import { isRecord } from '../../json/is-record.ts';
import { objectOrEmpty } from '../../json/values.ts';
import { encodeServiceTier } from './service-tier.ts';
import { tokenCount } from '../../text/token-count.ts';

/**
 * Decodes usage. The wire format's input count excludes tokens that were read from or written to caches.
 * @param before usage from `message_start`, which `message_delta` repeats or omits
 * @returns undefined if both input and output counts are missing
 */
export function decodeUsage(usage: unknown, before?: Usage): Usage | undefined {
  if (!isRecord(usage)) return before;
  const read = tokenCount(usage['cache_read_input_tokens']) ?? before?.cachedTokens;
  const written = tokenCount(usage['cache_creation_input_tokens']) ?? before?.cacheWriteTokens;
  const input = tokenCount(usage['input_tokens']) ?? freshInput(before);
  const output = tokenCount(usage['output_tokens']) ?? before?.outputTokens;
  if (input === undefined && output === undefined) return undefined;
  const details = objectOrEmpty(usage['output_tokens_details']);
  return {
    inputTokens: (input ?? 0) + (read ?? 0) + (written ?? 0),
    outputTokens: output ?? 0,
    cachedTokens: read,
    cacheWriteTokens: written,
    reasoningTokens: tokenCount(details['thinking_tokens']) ?? before?.reasoningTokens,
  };
}

function freshInput(usage: Usage | undefined): number | undefined {
  if (!usage) return undefined;
  return Math.max(0, usage.inputTokens - (usage.cachedTokens ?? 0) - (usage.cacheWriteTokens ?? 0));
}

export interface WireUsage {
  input_tokens: number;
  cache_creation_input_tokens: number;
  cache_read_input_tokens: number;
  output_tokens: number;
  output_tokens_details: { thinking_tokens: number } | undefined;
  service_tier: string | undefined;
}

/** Unknown counts become 0, because SDKs sum them. */
export function encodeUsage(usage: Usage | undefined, serviceTier?: string): WireUsage {
  const thinking = usage?.reasoningTokens;
  return {
    input_tokens: freshInput(usage) ?? 0,
    cache_creation_input_tokens: usage?.cacheWriteTokens ?? 0,
    cache_read_input_tokens: usage?.cachedTokens ?? 0,
    output_tokens: usage?.outputTokens ?? 0,
    output_tokens_details: thinking === undefined ? undefined : { thinking_tokens: thinking },
    service_tier: encodeServiceTier(serviceTier),
  };
}
