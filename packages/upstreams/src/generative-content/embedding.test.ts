import { describe, expect, it } from 'vitest';
import { embeddingParams, sentBy } from '../../test/direct-wire.ts';
import { geminiEmbedding } from './embedding.ts';

const google = { protocol: 'generative-content', fields: { novel: 1 } } as const;

const read = (body: unknown) => geminiEmbedding.read(body, embeddingParams(), { model: 'm' });

describe('geminiEmbedding', () => {
  it('sends one request for each text, with its own title and common fields', () => {
    const params = embeddingParams({
      inputs: ['a', 'b'],
      dimensions: 8,
      task: 'RETRIEVAL_DOCUMENT',
      titles: ['t', undefined],
      foreign: google,
    });
    const shared = { novel: 1, model: 'models/g', taskType: 'RETRIEVAL_DOCUMENT', outputDimensionality: 8 };
    expect(sentBy(geminiEmbedding, params, 'models/g')).toEqual({
      path: '/models/g:batchEmbedContents',
      json: {
        requests: [
          { ...shared, content: { parts: [{ text: 'a' }] }, title: 't' },
          { ...shared, content: { parts: [{ text: 'b' }] } },
        ],
      },
      lost: [],
    });
  });

  it('reports dropped fields of OpenAI’s clients and refuses their tokens', () => {
    const foreign = { protocol: 'openai', fields: { user: 'u' } } as const;
    expect(sentBy(geminiEmbedding, embeddingParams({ foreign }))).toMatchObject({
      json: { requests: [{ model: 'models/m', content: { parts: [{ text: 'a' }] } }] },
      lost: ['user'],
    });
    expect(() => sentBy(geminiEmbedding, embeddingParams({ inputs: [[1]] }))).toThrow(
      expect.objectContaining({ code: 'unsupported_parameter', param: 'input' }),
    );
  });

  it('sends 100 texts at a time', () => {
    const parts = geminiEmbedding.split?.parts(embeddingParams({ inputs: Array.from({ length: 101 }, () => 'a') }), {
      model: 'm',
    });
    expect(parts?.map(({ inputs }) => inputs.length)).toEqual([100, 1]);
  });

  it.each([
    ['Unknown name "bogus" at \'requests[0]\': Cannot find field.', 'Unknown name "bogus": Cannot find field.'],
    ["Invalid value at 'requests[7].content' (type)", "Invalid value at 'content' (type)"],
    [
      '* BatchEmbedContentsRequest.requests[0].content: contents is not specified',
      '* content: contents is not specified',
    ],
  ])('names the client’s own fields: %s', (message, text) => {
    const body = { error: { code: 400, status: 'INVALID_ARGUMENT', message } };
    expect(geminiEmbedding.refusal({ status: 400, headers: {}, body }).text).toBe(text);
  });

  it('normalizes shortened vectors, except for Google’s own clients, which do it themselves', () => {
    const body = { embeddings: [{ values: [3, 4] }] };
    const vectorsFor = (more: object) => geminiEmbedding.read(body, embeddingParams(more), { model: 'm' })?.vectors;
    expect(vectorsFor({ dimensions: 2 })).toEqual([[0.6, 0.8]]);
    expect(vectorsFor({})).toEqual([[3, 4]]);
    expect(vectorsFor({ dimensions: 2, foreign: google })).toEqual([[3, 4]]);
  });

  it('reads vectors, and usage if reported', () => {
    expect(read({ embeddings: [{ values: [1] }] })).toEqual({ vectors: [[1]] });
    const usageMetadata = { promptTokenCount: 4 };
    expect(read({ embeddings: [{ values: [1] }], usageMetadata })).toEqual({ vectors: [[1]], inputTokens: 4 });
    const odd = { promptTokenCount: -1 };
    expect(read({ embeddings: [{ values: [1] }], usageMetadata: odd })).toEqual({ vectors: [[1]] });
    expect(read({ embeddings: [] })).toBeUndefined();
    expect(read({ embeddings: [{ values: [] }] })).toBeUndefined();
    expect(read({ embedding: { values: [1] } })).toBeUndefined();
  });
});
