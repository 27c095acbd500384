import { describe, expect, it } from 'vitest';
import { encodeEmbeddings } from './response.ts';
import { EmbeddingListSchema } from './schema.ts';

const context = (prefersBase64: boolean) => ({
  model: 'requested-model',
  params: { inputs: ['a', 'b'], prefersBase64, foreign: { protocol: 'openai', fields: {} } as const },
});
const vectors = [[0.5, -1.25], 'AAAAPwAAoL8='];

describe('embedding responses', () => {
  it.each([
    ['numbers', false, [0.5, -1.25]],
    ['base64', true, 'AAAAPwAAoL8='],
  ])('contain %s on request, whatever the upstream returned', (_title, prefersBase64, embedding) => {
    const response = encodeEmbeddings({ vectors, inputTokens: 7 }, context(prefersBase64));
    expect(response).toEqual({
      object: 'list',
      data: [
        { object: 'embedding', index: 0, embedding },
        { object: 'embedding', index: 1, embedding },
      ],
      model: 'requested-model',
      usage: { prompt_tokens: 7, total_tokens: 7 },
    });
    expect(EmbeddingListSchema.safeParse(response).success).toBe(true);
  });
});
