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
 * Reads vectors as OpenAI and Jina send them: floats or base64.
 * @returns undefined if they do not match the request
 * @throws GatewayError if they cannot have the requested length
 */
export function readOpenAiEmbeddings(body: unknown, params: EmbeddingParams, model: string): Embeddings | undefined {
  const { data: read } = WireEmbeddings.safeParse(body);
  if (!read || read.data.length !== params.inputs.length) return undefined;
  const vectors: Vector[] = [];
  // Servers that send no indexes keep the order of the inputs.
  for (const [at, { index = at, embedding }] of read.data.entries()) vectors[index] = embedding;
  // A repeated or unknown index leaves another input without a vector.
  const isComplete = params.inputs.every((_input, index) => vectors[index] !== undefined);
  if (!isComplete) return undefined;
  const inputTokens = read.usage?.prompt_tokens ?? read.usage?.total_tokens;
  return fitDimensions({ vectors, ...(inputTokens !== undefined && { inputTokens }) }, params, model);
}
