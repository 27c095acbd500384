import { describe, expect, it } from 'vitest';
import { embeddingParams, sentBy } from '../../test/direct-wire.ts';
import { cohereEmbedding } from './embedding.ts';

const read = (body: unknown, more = {}, model = 'm') => cohereEmbedding.read(body, embeddingParams(more), { model });

describe('cohereEmbedding', () => {
  it('requests floats for document texts, in the requested number of dimensions', () => {
    expect(sentBy(cohereEmbedding, embeddingParams({ inputs: ['a', 'b'], dimensions: 256 }))).toEqual({
      path: '/v2/embed',
      json: {
        model: 'm',
        texts: ['a', 'b'],
        input_type: 'search_document',
        embedding_types: ['float'],
        output_dimension: 256,
      },
      lost: [],
    });
  });

  it.each([
    ['RETRIEVAL_QUERY', 'search_query', []],
    ['RETRIEVAL_DOCUMENT', 'search_document', []],
    ['QUESTION_ANSWERING', 'search_query', []],
    ['CLUSTERING', 'clustering', []],
    ['CLASSIFICATION', 'classification', []],
    ['TASK_TYPE_UNSPECIFIED', 'search_document', []],
    ['constructor', 'search_document', ['taskType']],
  ])('maps task %s to %s', (task, input_type, lost) => {
    expect(sentBy(cohereEmbedding, embeddingParams({ task }))).toMatchObject({ json: { input_type }, lost });
  });

  it("accepts Cohere's own parameters from any client and reports those it cannot send", () => {
    const foreign = { protocol: 'openai', fields: { input_type: 'search_query', truncate: 'END', user: 'u' } } as const;
    const { json, lost } = sentBy(cohereEmbedding, embeddingParams({ foreign, titles: ['t'] }));
    expect(json).toMatchObject({ input_type: 'search_query', truncate: 'END' });
    expect(json).not.toHaveProperty('user');
    expect(lost).toEqual(['title', 'user']);
  });

  it.each([
    ['embed-v4.0', 256, { output_dimension: 256 }],
    ['embed-english-v3.0', 1024, {}],
    ['embed-multilingual-light-v3.0', 384, {}],
    ['novel', 7, { output_dimension: 7 }],
  ])('sends %s with %d dimensions as %j', (model, dimensions, expected) => {
    const { json } = sentBy(cohereEmbedding, embeddingParams({ dimensions }), model);
    expect(json).toMatchObject(expected);
    expect(Object.keys(json as object).includes('output_dimension')).toBe('output_dimension' in expected);
  });

  it.each([
    ['embed-v4.0', 300, '256, 512, 1024, or 1536'],
    ['embed-english-v3.0', 256, '1024'],
  ])('sends no dimensions for %s when %d is not supported', (model, dimensions, sizes) => {
    expect(() => sentBy(cohereEmbedding, embeddingParams({ dimensions }), model)).toThrow(
      expect.objectContaining({
        code: 'unsupported_parameter',
        param: 'dimensions',
        message: `\`dimensions\` must be ${sizes} for this model.`,
      }),
    );
  });

  it('refuses tokens', () => {
    expect(() => sentBy(cohereEmbedding, embeddingParams({ inputs: [[1, 2]] }))).toThrow(
      expect.objectContaining({ code: 'unsupported_parameter', param: 'input' }),
    );
  });

  it('sends at most 96 texts per call', () => {
    const parts = cohereEmbedding.split?.parts(embeddingParams({ inputs: Array.from({ length: 200 }, () => 'a') }), {
      model: 'm',
    });
    expect(parts?.map(({ inputs }) => inputs.length)).toEqual([96, 96, 8]);
  });

  it('reads vectors and the reported token count', () => {
    const meta = { billed_units: { input_tokens: 3 } };
    expect(read({ embeddings: { float: [[1, 2]] }, meta })).toEqual({ vectors: [[1, 2]], inputTokens: 3 });
    expect(read({ embeddings: { float: [[1, 2]] }, meta: 'none' })).toEqual({ vectors: [[1, 2]] });
  });

  it.each([
    [{ embeddings: { float: [] } }],
    [{ embeddings: { float: [[1], [2]] } }],
    [{ embeddings: { int8: [[1]] } }],
    [{ embeddings: { float: [[]] } }],
    [null],
  ])('rejects the response %j', (body) => {
    expect(read(body)).toBeUndefined();
  });

  it('rejects vectors longer than requested', () => {
    const body = { embeddings: { float: [[3, 4, 1]] } };
    expect(() => read(body, { dimensions: 2 })).toThrow(expect.objectContaining({ code: 'unsupported_parameter' }));
    expect(read(body, { dimensions: 2 }, 'embed-v4.0')?.vectors).toEqual([[0.6, 0.8]]);
  });
});
