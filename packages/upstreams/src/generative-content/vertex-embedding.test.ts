import { describe, expect, it } from 'vitest';
import { embeddingParams, sentBy } from '../../test/direct-wire.ts';
import { vertexEmbedding } from './vertex-embedding.ts';

const google = { protocol: 'generative-content', fields: { autoTruncate: false } } as const;
const PARAMS = {
  inputs: ['a', 'b'],
  dimensions: 2,
  task: 'RETRIEVAL_DOCUMENT',
  titles: ['t', undefined],
  foreign: google,
} as const;
const countsOf = (model: string, count: number) =>
  vertexEmbedding.split
    ?.parts(embeddingParams({ inputs: Array.from({ length: count }, () => 'a') }), { model })
    .map(({ inputs }) => inputs.length);

describe('vertexEmbedding', () => {
  it('sends instances to `:predict`', () => {
    expect(sentBy(vertexEmbedding, embeddingParams(PARAMS), 'text-embedding-005')).toEqual({
      path: '/models/text-embedding-005:predict',
      json: {
        instances: [
          { content: 'a', task_type: 'RETRIEVAL_DOCUMENT', title: 't' },
          { content: 'b', task_type: 'RETRIEVAL_DOCUMENT', title: undefined },
        ],
        parameters: { autoTruncate: false, outputDimensionality: 2 },
      },
      lost: [],
    });
    expect(countsOf('text-embedding-005', 251)).toEqual([250, 1]);
    expect(countsOf('gemini-embedding-001', 2)).toEqual([1, 1]);
  });

  it('sends one content to `:embedContent` of newer models', () => {
    const params = embeddingParams({ ...PARAMS, inputs: ['a'] });
    expect(sentBy(vertexEmbedding, params, 'gemini-embedding-2')).toEqual({
      path: '/models/gemini-embedding-2:embedContent',
      json: {
        content: { role: 'user', parts: [{ text: 'a' }] },
        embedContentConfig: {
          autoTruncate: false,
          taskType: 'RETRIEVAL_DOCUMENT',
          title: 't',
          outputDimensionality: 2,
        },
      },
      lost: [],
    });
    expect(countsOf('gemini-embedding-2', 2)).toEqual([1, 1]);
  });

  it('reads vectors and tokens, and normalizes shortened vectors', () => {
    const prediction = { embeddings: { values: [3, 4], statistics: { token_count: 2 } } };
    const two = embeddingParams({ inputs: ['a', 'b'] });
    const read = (body: unknown, params = two, model = 'text-embedding-005') =>
      vertexEmbedding.read(body, params, { model });
    expect(read({ predictions: [prediction, prediction] })).toEqual({ vectors: [[3, 4], [3, 4]], inputTokens: 4 }); // prettier-ignore
    expect(read({ predictions: [prediction] })).toBeUndefined();
    expect(read({ predictions: [prediction, { embeddings: { values: [1, 0] } }] })).toEqual({
      vectors: [
        [3, 4],
        [1, 0],
      ],
    });
    expect(read({ predictions: [prediction, prediction] }, { ...two, dimensions: 2 })?.vectors[0]).toEqual([0.6, 0.8]);
    const one = embeddingParams();
    const body = { embedding: { values: [1] }, usageMetadata: { promptTokenCount: 3 } };
    expect(read(body, one, 'gemini-embedding-2')).toEqual({ vectors: [[1]], inputTokens: 3 });
    expect(read({ predictions: [prediction] }, one, 'gemini-embedding-2')).toBeUndefined();
    expect(read('x')).toBeUndefined();
  });
});
