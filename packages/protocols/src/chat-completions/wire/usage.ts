import type { Usage } from '@sluice/canonical';
import { isRecord } from '../../json/is-record.ts';
import { tokenCount } from '../../text/token-count.ts';
import { objectOrEmpty, type JsonObject } from '../../json/values.ts';

/**
 * Decodes `usage`. xAI counts reasoning beside the output, which only its total reveals; our output count includes it.
 * @param before earlier usage of the same response; later values win
 */
export function decodeUsage(value: unknown, before?: Usage): Usage | undefined {
  const usage = isRecord(value) ? readUsage(value) : undefined;
  return usage && before ? { ...before, ...usage } : (usage ?? before);
}

function readUsage(value: JsonObject): Usage | undefined {
  const input = tokenCount(value['prompt_tokens']);
  const output = tokenCount(value['completion_tokens']);
  if (input === undefined && output === undefined) return undefined;
  const inputDetails = objectOrEmpty(value['prompt_tokens_details']);
  const outputDetails = objectOrEmpty(value['completion_tokens_details']);
  // DeepSeek reports cache hits beside the details.
  const cached = tokenCount(inputDetails['cached_tokens']) ?? tokenCount(value['prompt_cache_hit_tokens']);
  const written = tokenCount(inputDetails['cache_write_tokens']);
  const reasoning = tokenCount(outputDetails['reasoning_tokens']);
  const audioIn = tokenCount(inputDetails['audio_tokens']);
  const imageIn = tokenCount(inputDetails['image_tokens']);
  const audioOut = tokenCount(outputDetails['audio_tokens']);
  const isBeside =
    reasoning !== undefined &&
    reasoning > 0 &&
    tokenCount(value['total_tokens']) === (input ?? 0) + (output ?? 0) + reasoning;
  return {
    inputTokens: input ?? 0,
    outputTokens: (output ?? 0) + (isBeside ? reasoning : 0),
    ...(cached !== undefined && { cachedTokens: cached }),
    ...(written !== undefined && { cacheWriteTokens: written }),
    ...(reasoning !== undefined && { reasoningTokens: reasoning }),
    ...(audioIn !== undefined && { audioInputTokens: audioIn }),
    ...(audioOut !== undefined && { audioOutputTokens: audioOut }),
    ...(imageIn !== undefined && { imageInputTokens: imageIn }),
  };
}

/** Unknown details are omitted. */
export function encodeUsage(usage: Usage): Record<string, unknown> {
  const inputDetails = {
    ...(usage.cachedTokens !== undefined && { cached_tokens: usage.cachedTokens }),
    ...(usage.cacheWriteTokens !== undefined && { cache_write_tokens: usage.cacheWriteTokens }),
    ...(usage.audioInputTokens !== undefined && { audio_tokens: usage.audioInputTokens }),
    ...(usage.imageInputTokens !== undefined && { image_tokens: usage.imageInputTokens }),
  };
  const outputDetails = {
    ...(usage.reasoningTokens !== undefined && { reasoning_tokens: usage.reasoningTokens }),
    ...(usage.audioOutputTokens !== undefined && { audio_tokens: usage.audioOutputTokens }),
  };
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
    ...(Object.keys(inputDetails).length > 0 && { prompt_tokens_details: inputDetails }),
    ...(Object.keys(outputDetails).length > 0 && { completion_tokens_details: outputDetails }),
  };
}
