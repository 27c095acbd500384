import type { Embeddings, EmbeddingParams, Vector } from '@sluice/canonical';
import { z } from 'zod';
import { Tokens } from '../media/lenient.ts';
import { fitDimensions } from './fit-dimensions.ts';
import { WireVector } from './wire-vector.ts';

const WireEmbeddings = z.looseObject({
  data: z.array(z.looseObject({ index: z.int().optional().catch(undefined), embedding: WireVector })),
  usage: z.looseObject({ prompt_tokens: Tokens, total_tokens: Tokens }).nullish().catch(undefined),
});

/**
 * Reads vectors in the format of OpenAI and Jina: floats or base64.
 * @returns undefined if the vectors do not match the request
 * @throws GatewayError if the vectors cannot have the requested length
 */
export function readOpenAiEmbeddings(body: unknown, params: EmbeddingParams, model: string): Embeddings | undefined {
  const { data: read } = WireEmbeddings.safeParse(body);
  if (!read || read.data.length !== params.inputs.length) return undefined;
  const vectors: Vector[] = [];
  // Servers that send no indexes return the vectors in the order of the inputs.
  for (const [at, { index = at, embedding }] of read.data.entries()) vectors[index] = embedding;
  // If an index is repeated or unknown, another input has no vector.
  const isComplete = params.inputs.every((_input, index) => vectors[index] !== undefined);
  if (!isComplete) return undefined;
  const inputTokens = read.usage?.prompt_tokens ?? read.usage?.total_tokens;
  return fitDimensions({ vectors, ...(inputTokens !== undefined && { inputTokens }) }, params, model);
}
