import { type Embeddings, numbersOf } from '@sluice/canonical';
import type { z } from 'zod';
import type { ContentEmbeddingSchema, ContentEmbeddingsSchema } from './schema.ts';

export function encodeContentEmbedding({ vectors }: Embeddings): z.output<typeof ContentEmbeddingSchema> {
  return { embedding: { values: [...numbersOf(vectors[0] ?? [])] } };
}

export function encodeContentEmbeddings({
  vectors,
  inputTokens,
}: Embeddings): z.output<typeof ContentEmbeddingsSchema> {
  return {
    embeddings: vectors.map((vector) => ({ values: [...numbersOf(vector)] })),
    ...(inputTokens !== undefined && { usageMetadata: { promptTokenCount: inputTokens } }),
  };
}
