import { base64Of, type Embeddings, numbersOf } from '@sluice/canonical';
import type { z } from 'zod';
import type { DirectResponseContext } from '../contracts/direct-protocol.ts';
import type { EmbeddingListSchema } from './schema.ts';

export function encodeEmbeddings(
  { vectors, inputTokens = 0 }: Embeddings,
  { model, params }: Pick<DirectResponseContext<'embedding'>, 'model' | 'params'>,
): z.output<typeof EmbeddingListSchema> {
  return {
    object: 'list',
    data: vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: params.prefersBase64 ? base64Of(vector) : [...numbersOf(vector)],
    })),
    model,
    usage: { prompt_tokens: inputTokens, total_tokens: inputTokens },
  };
}
