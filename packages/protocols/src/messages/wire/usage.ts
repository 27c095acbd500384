import type { Usage } from '@sluice/canonical';
import { isRecord } from '../../json/is-record.ts';
import { objectOrEmpty } from '../../json/values.ts';
import { decodeServiceTier, encodeServiceTier } from './service-tier.ts';
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
  const hour = tokenCount(objectOrEmpty(usage['cache_creation'])['ephemeral_1h_input_tokens']);
  const searches = tokenCount(objectOrEmpty(usage['server_tool_use'])['web_search_requests']);
  return {
    inputTokens: (input ?? 0) + (read ?? 0) + (written ?? 0),
    outputTokens: output ?? 0,
    cachedTokens: read,
    cacheWriteTokens: written,
    cacheWrite1hTokens: hour ?? before?.cacheWrite1hTokens,
    reasoningTokens: tokenCount(details['thinking_tokens']) ?? before?.reasoningTokens,
    searches: searches ?? before?.searches,
    serviceTier: decodeServiceTier(usage) ?? before?.serviceTier,
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
  cache_creation: { ephemeral_5m_input_tokens: number; ephemeral_1h_input_tokens: number } | undefined;
  output_tokens: number;
  output_tokens_details: { thinking_tokens: number } | undefined;
  server_tool_use: { web_search_requests: number } | undefined;
  service_tier: string | undefined;
}

/** Unknown counts become 0, because SDKs sum them. Unknown details are omitted. */
export function encodeUsage(usage: Usage | undefined, serviceTier?: string): WireUsage {
  const { reasoningTokens: thinking, cacheWrite1hTokens: hour, cacheWriteTokens = 0, searches } = usage ?? {};
  return {
    input_tokens: freshInput(usage) ?? 0,
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: usage?.cachedTokens ?? 0,
    cache_creation:
      hour === undefined
        ? undefined
        : { ephemeral_5m_input_tokens: Math.max(0, cacheWriteTokens - hour), ephemeral_1h_input_tokens: hour },
    output_tokens: usage?.outputTokens ?? 0,
    output_tokens_details: thinking === undefined ? undefined : { thinking_tokens: thinking },
    server_tool_use: searches ? { web_search_requests: searches } : undefined,
    service_tier: encodeServiceTier(serviceTier),
  };
}
