import type { EmbeddingParams, Loss } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { openAiEmbedding } from './embedding.ts';

const openai = { protocol: 'openai', fields: { user: 'u-1', novel: true } } as const;

function sent(params: Partial<EmbeddingParams>) {
  const losses: Loss[] = [];
  const complete = { inputs: ['a'], prefersBase64: false, foreign: openai, ...params };
  const { path, json } = openAiEmbedding.request(complete, { model: 'm', report: (loss) => losses.push(loss) });
  return { path, json, lost: losses.map(({ field }) => field) };
}

describe('openAiEmbedding', () => {
  it('sends OpenAI’s fields and passes unknown ones on', () => {
    expect(sent({ inputs: ['a', 'b'], dimensions: 8 })).toEqual({
      path: '/embeddings',
      json: { model: 'm', input: ['a', 'b'], dimensions: 8, user: 'u-1', novel: true },
      lost: [],
    });
  });

  it.each([
    [['a'], 'a'],
    [[[1, 2]], [1, 2]],
    [
      [[1, 2], [3]],
      [[1, 2], [3]],
    ],
  ])('sends the inputs %j as %j', (inputs, input) => {
    expect(sent({ inputs }).json).toMatchObject({ input });
  });

  it('requests base64 if the client prefers it, otherwise no format', () => {
    expect(sent({ prefersBase64: true }).json).toMatchObject({ encoding_format: 'base64' });
    expect(sent({ prefersBase64: false }).json).not.toHaveProperty('encoding_format');
  });

  it('reports dropped fields of Google’s clients', () => {
    const foreign = { protocol: 'generative-content', fields: { autoTruncate: true } } as const;
    const { lost, json } = sent({ task: 'RETRIEVAL_QUERY', titles: ['t'], foreign });
    expect(lost).toEqual(['taskType', 'title', 'autoTruncate']);
    expect(json).toEqual({ model: 'm', input: 'a' });
  });
});
