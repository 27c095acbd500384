import { describe, expect, it } from 'vitest';
import { embeddingParams, sentBy } from '../../test/direct-wire.ts';
import { jinaEmbedding } from './embedding.ts';

const V3 = 'jina-embeddings-v3';

describe('jinaEmbedding', () => {
  it('sends Jina’s field names', () => {
    const params = embeddingParams({ dimensions: 8, prefersBase64: true, task: 'RETRIEVAL_DOCUMENT' });
    expect(sentBy(jinaEmbedding, params, V3)).toEqual({
      path: '/v1/embeddings',
      json: { model: V3, input: ['a'], dimensions: 8, embedding_type: 'base64', task: 'retrieval.passage' },
      lost: [],
    });
  });

  it('accepts Jina’s own fields from any client, and reports dropped ones', () => {
    const foreign = { protocol: 'openai', fields: { task: 'code.query', late_chunking: true, user: 'u' } } as const;
    const { json, lost } = sentBy(jinaEmbedding, embeddingParams({ foreign, titles: ['t'] }));
    expect(json).toEqual({ model: 'm', input: ['a'], task: 'code.query', late_chunking: true });
    expect(lost).toEqual(['title', 'user']);
  });

  it('reports a task that the model does not have', () => {
    expect(sentBy(jinaEmbedding, embeddingParams({ task: 'CLUSTERING' }), 'jina-clip-v2').lost).toEqual(['taskType']);
    expect(sentBy(jinaEmbedding, embeddingParams({ task: 'TASK_TYPE_UNSPECIFIED' }), V3).lost).toEqual([]);
  });

  it('sends 512 texts at a time, unless all are one document', () => {
    const inputs = Array.from({ length: 513 }, () => 'a');
    const lengths = (more = {}) =>
      jinaEmbedding.split
        ?.parts(embeddingParams({ inputs, ...more }), { model: 'm' })
        .map((part) => part.inputs.length);
    expect(lengths()).toEqual([512, 1]);
    expect(lengths({ foreign: { protocol: 'openai', fields: { late_chunking: true } } })).toEqual([513]);
  });

  it('refuses tokens', () => {
    expect(() => sentBy(jinaEmbedding, embeddingParams({ inputs: [[1]] }))).toThrow(/does not accept token arrays/);
  });
});
