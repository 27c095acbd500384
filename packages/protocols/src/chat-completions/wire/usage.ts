import type { Usage } from '@sluice/canonical';
import { isRecord } from '../../json/is-record.ts';
import { asNonEmptyObject, asNonEmptyString, objectOrEmpty } from '../../json/values.ts';
import { tokenCount } from '../../text/token-count.ts';

/**
 * Decodes `usage`. xAI excludes reasoning tokens from its output count, and only its total includes them. The decoded
 * output count always includes them.
 * @param before earlier usage of the same response, which later values override
 * @param sibling reads another field of the response
 */
export function decodeUsage(value: unknown, before?: Usage, sibling?: (name: string) => unknown): Usage | undefined {
  if (!isRecord(value)) return before;
  const input = tokenCount(value['prompt_tokens']);
  const output = tokenCount(value['completion_tokens']);
  if (input === undefined && output === undefined) return before;
  const inputDetails = objectOrEmpty(value['prompt_tokens_details']);
  const outputDetails = objectOrEmpty(value['completion_tokens_details']);
  // DeepSeek reports cache hits outside the details.
  const cached = tokenCount(inputDetails['cached_tokens']) ?? tokenCount(value['prompt_cache_hit_tokens']);
  const reasoning = tokenCount(outputDetails['reasoning_tokens']);
  const total = (input ?? 0) + (output ?? 0) + (reasoning ?? 0);
  const isReasoningExtra = tokenCount(value['total_tokens']) === total;
  return {
    inputTokens: input ?? 0,
    outputTokens: (output ?? 0) + (isReasoningExtra ? (reasoning ?? 0) : 0),
    cachedTokens: cached ?? before?.cachedTokens,
    cacheWriteTokens: tokenCount(inputDetails['cache_write_tokens']) ?? before?.cacheWriteTokens,
    reasoningTokens: reasoning ?? before?.reasoningTokens,
    audioInputTokens: tokenCount(inputDetails['audio_tokens']) ?? before?.audioInputTokens,
    audioOutputTokens: tokenCount(outputDetails['audio_tokens']) ?? before?.audioOutputTokens,
    imageInputTokens: tokenCount(inputDetails['image_tokens']) ?? before?.imageInputTokens,
    serviceTier: asNonEmptyString(sibling?.('service_tier')) ?? before?.serviceTier,
  };
}

/** Omits unknown details. */
export function encodeUsage(usage: Usage): Record<string, unknown> {
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
    prompt_tokens_details: asNonEmptyObject({
      cached_tokens: usage.cachedTokens,
      cache_write_tokens: usage.cacheWriteTokens,
      audio_tokens: usage.audioInputTokens,
      image_tokens: usage.imageInputTokens,
    }),
    completion_tokens_details: asNonEmptyObject({
      reasoning_tokens: usage.reasoningTokens,
      audio_tokens: usage.audioOutputTokens,
    }),
  };
}
