import type { Usage } from '@sluice/canonical';
import { isRecord } from '../../json/is-record.ts';
import { tokenCount } from '../../text/token-count.ts';

/**
 * Reads Anthropic's usage, whose input leaves out what caches gave and took.
 * @param before what was told before: `message_delta` restates, or leaves out, what `message_start` told
 * @returns undefined when neither input nor output is told
 */
export function decodeUsage(usage: unknown, before?: Usage): Usage | undefined {
  if (!isRecord(usage)) return before;
  const read = tokenCount(usage['cache_read_input_tokens']) ?? before?.cachedTokens;
  const written = tokenCount(usage['cache_creation_input_tokens']) ?? before?.cacheWriteTokens;
  const input = tokenCount(usage['input_tokens']) ?? freshInput(before);
  const output = tokenCount(usage['output_tokens']) ?? before?.outputTokens;
  if (input === undefined && output === undefined) return undefined;
  const details = usage['output_tokens_details'];
  const thinking = (isRecord(details) ? tokenCount(details['thinking_tokens']) : undefined) ?? before?.reasoningTokens;
  return {
    inputTokens: (input ?? 0) + (read ?? 0) + (written ?? 0),
    outputTokens: output ?? 0,
    ...(read !== undefined && { cachedTokens: read }),
    ...(written !== undefined && { cacheWriteTokens: written }),
    ...(thinking !== undefined && { reasoningTokens: thinking }),
  };
}

function freshInput(usage: Usage | undefined): number | undefined {
  if (!usage) return undefined;
  return Math.max(0, usage.inputTokens - (usage.cachedTokens ?? 0) - (usage.cacheWriteTokens ?? 0));
}

/** Usage as this protocol's clients read it. */
export interface WireUsage {
  input_tokens: number;
  cache_creation_input_tokens: number;
  cache_read_input_tokens: number;
  output_tokens: number;
  output_tokens_details?: { thinking_tokens: number };
}

/** Writes usage; unknown is zero, since SDKs add these numbers up. */
export function encodeUsage(usage: Usage | undefined): WireUsage {
  return {
    input_tokens: freshInput(usage) ?? 0,
    cache_creation_input_tokens: usage?.cacheWriteTokens ?? 0,
    cache_read_input_tokens: usage?.cachedTokens ?? 0,
    output_tokens: usage?.outputTokens ?? 0,
    ...(usage?.reasoningTokens !== undefined && { output_tokens_details: { thinking_tokens: usage.reasoningTokens } }),
  };
}
