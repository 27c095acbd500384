import type { Usage } from '@sluice/canonical';
import type { z } from 'zod';
import { knownCounts, tokenCount } from '../../text/token-count.ts';
import type { ResponsesUsageSchema } from './schema.ts';
import { asObject, asString } from '../../json/values.ts';

export type ResponsesUsage = z.output<typeof ResponsesUsageSchema>;

/**
 * Decodes usage. Also accepts the field names of chat completions, because some upstreams mix them.
 * @param before usage from earlier events of the same stream
 * @param sibling reads another field of the response
 */
export function decodeUsage(usage: unknown, before?: Usage, sibling?: (name: string) => unknown): Usage | undefined {
  const fields = asObject(usage);
  const inputTokens = tokenCount(fields?.['input_tokens']) ?? tokenCount(fields?.['prompt_tokens']);
  const outputTokens = tokenCount(fields?.['output_tokens']) ?? tokenCount(fields?.['completion_tokens']);
  if (!fields || (inputTokens === undefined && outputTokens === undefined)) return before;
  // Each set of field names can contain details that the other lacks.
  const input = { ...asObject(fields['prompt_tokens_details']), ...asObject(fields['input_tokens_details']) };
  const output = { ...asObject(fields['completion_tokens_details']), ...asObject(fields['output_tokens_details']) };
  const details = knownCounts({
    cachedTokens: tokenCount(input['cached_tokens']),
    cacheWriteTokens: tokenCount(input['cache_write_tokens']),
    reasoningTokens: tokenCount(output['reasoning_tokens']),
    // Zero is omitted, because few models process audio or images.
    audioInputTokens: positiveCount(input['audio_tokens']),
    audioOutputTokens: positiveCount(output['audio_tokens']),
    imageInputTokens: positiveCount(input['image_tokens']),
    // openai-node 7.55, `Response.ToolUsage`: billable searches. Zero is omitted, because few requests search.
    searches: positiveCount(asObject(asObject(sibling?.('tool_usage'))?.['web_search'])?.['num_requests']),
    serviceTier: asString(sibling?.('service_tier')),
  });
  return {
    ...before,
    inputTokens: inputTokens ?? before?.inputTokens ?? 0,
    outputTokens: outputTokens ?? before?.outputTokens ?? 0,
    ...details,
  };
}

function positiveCount(count: unknown): number | undefined {
  return tokenCount(count) || undefined;
}

/**
 * Encodes usage under both sets of field names, because published clients read `input_tokens` and clients of this
 * gateway read `prompt_tokens`. The SDK requires the details of `input_tokens`. The details of `prompt_tokens` are
 * omitted if the vendor does not report them.
 */
export function encodeUsage(usage: Usage): ResponsesUsage {
  const { inputTokens, outputTokens, cachedTokens, cacheWriteTokens = 0, reasoningTokens } = usage;
  const { audioInputTokens, audioOutputTokens, imageInputTokens } = usage;
  const isInputSplit = audioInputTokens !== undefined || imageInputTokens !== undefined;
  const textInput = inputTokens - (audioInputTokens ?? 0) - (imageInputTokens ?? 0);
  const textOutput = outputTokens - (audioOutputTokens ?? 0) - (reasoningTokens ?? 0);
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cachedTokens ?? 0, cache_write_tokens: cacheWriteTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens ?? 0 },
    total_tokens: inputTokens + outputTokens,
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    prompt_tokens_details: {
      cached_tokens: cachedTokens,
      text_tokens: isInputSplit ? Math.max(0, textInput) : undefined,
      audio_tokens: audioInputTokens,
      image_tokens: imageInputTokens,
    },
    completion_tokens_details: {
      text_tokens: audioOutputTokens === undefined ? undefined : Math.max(0, textOutput),
      audio_tokens: audioOutputTokens,
      reasoning_tokens: reasoningTokens,
    },
  };
}
