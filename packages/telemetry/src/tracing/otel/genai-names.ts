/** Names of metrics and attributes that differ between two generations of the GenAI semantic conventions. */
export interface GenAiNames {
  cacheWriteTokens: string;
  duration: string;
  timeToFirstChunk: string;
  timePerChunk: string;
  /** One histogram whose points have the token type as an attribute, or one histogram and counter for each type. */
  tokens: 'by-attribute' | 'by-name';
}

/** The last version in the main repository of the conventions, which most backends support. */
const STABLE: GenAiNames = {
  cacheWriteTokens: 'gen_ai.usage.cache_creation.input_tokens',
  duration: 'gen_ai.client.operation.duration',
  timeToFirstChunk: 'gen_ai.client.operation.time_to_first_chunk',
  timePerChunk: 'gen_ai.client.operation.time_per_output_chunk',
  tokens: 'by-attribute',
};

const LATEST: GenAiNames = {
  cacheWriteTokens: 'gen_ai.usage.cache_write.input_tokens',
  duration: 'gen_ai.client.inference.duration',
  timeToFirstChunk: 'gen_ai.client.inference.time_to_first_chunk',
  timePerChunk: 'gen_ai.client.inference.time_per_output_chunk',
  tokens: 'by-name',
};

export function genAiNames(usesLatest: boolean): GenAiNames {
  return usesLatest ? LATEST : STABLE;
}
