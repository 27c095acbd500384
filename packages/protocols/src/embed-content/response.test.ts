import { describe, expect, it } from 'vitest';
import { encodeContentEmbedding, encodeContentEmbeddings } from './response.ts';
import { ContentEmbeddingSchema, ContentEmbeddingsSchema } from './schema.ts';

describe('Google embedding responses', () => {
  it('contain numbers, regardless of the upstream’s format', () => {
    const one = encodeContentEmbedding({ vectors: ['AAAAPwAAoL8='] });
    expect(one).toEqual({ embedding: { values: [0.5, -1.25] } });
    expect(ContentEmbeddingSchema.safeParse(one).success).toBe(true);
    const encoded = encodeContentEmbeddings({ vectors: [[1], 'AAAAPw=='], inputTokens: 3 });
    expect(encoded).toEqual({
      embeddings: [{ values: [1] }, { values: [0.5] }],
      usageMetadata: { promptTokenCount: 3 },
    });
    expect(ContentEmbeddingsSchema.safeParse(encoded).success).toBe(true);
  });
});
