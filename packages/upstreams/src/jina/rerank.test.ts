import { describe, expect, it } from 'vitest';
import { rerankParams, sentBy } from '../../test/direct-wire.ts';
import { jinaRerank } from './rerank.ts';

const read = (body: unknown) => jinaRerank.read(body, rerankParams(), { model: 'm' });

describe('jinaRerank', () => {
  it('sends texts and images, and requests no documents back', () => {
    const documents = ['a', { text: 'b' }, { image: 'https://x/y.png' }, { title: 'c' }];
    const foreign = { protocol: 'cohere', fields: { truncation: false, priority: 1 } } as const;
    expect(sentBy(jinaRerank, rerankParams({ documents, topN: 2, returnDocuments: true, foreign }))).toEqual({
      path: '/v1/rerank',
      json: {
        model: 'm',
        query: 'q',
        documents: ['a', 'b', { image: 'https://x/y.png' }, 'title: c'],
        top_n: 2,
        return_documents: false,
        truncation: false,
      },
      lost: ['priority'],
    });
  });

  it('reads the ranking, and usage if reported', () => {
    const results = [
      { index: 1, relevance_score: 0.9, document: { text: 'b' } },
      { index: 0, relevance_score: -0.1 },
    ];
    const ranked = [
      { index: 1, score: 0.9 },
      { index: 0, score: -0.1 },
    ];
    expect(read({ results, usage: { total_tokens: 5 } })).toEqual({ results: ranked, inputTokens: 5 });
    expect(read({ results })).toEqual({ results: ranked });
    expect(read({ results: results.slice(1) })).toBeUndefined();
    expect(read({ data: results })).toBeUndefined();
  });
});
