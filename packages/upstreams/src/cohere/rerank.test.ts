import { describe, expect, it } from 'vitest';
import { rerankParams, sentBy } from '../../test/direct-wire.ts';
import { cohereRerank } from './rerank.ts';

const read = (body: unknown) => cohereRerank.read(body, rerankParams(), { model: 'm' });

describe('cohereRerank', () => {
  it('sends documents as texts and does not request them back', () => {
    const documents = ['a', { text: 'b' }, { title: 'c', year: 7 }];
    const foreign = { protocol: 'cohere', fields: { max_tokens_per_doc: 9, max_chunks_per_doc: 2 } } as const;
    const params = rerankParams({ documents, topN: 9, returnDocuments: true, foreign });
    expect(sentBy(cohereRerank, params)).toEqual({
      path: '/v2/rerank',
      json: {
        model: 'm',
        query: 'q',
        documents: ['a', 'b', 'title: c\nyear: 7'],
        top_n: 3,
        max_tokens_per_doc: 9,
      },
      lost: ['max_chunks_per_doc'],
    });
  });

  it('refuses images', () => {
    expect(() => sentBy(cohereRerank, rerankParams({ documents: [{ image: 'https://x/y.png' }] }))).toThrow(
      expect.objectContaining({ code: 'unsupported_parameter', param: 'documents[0][image]' }),
    );
  });

  const results = [
    { index: 1, relevance_score: 0.9 },
    { index: 0, relevance_score: 0.1 },
  ];

  it('reads the ranking and the reported search units', () => {
    const ranked = [
      { index: 1, score: 0.9 },
      { index: 0, score: 0.1 },
    ];
    expect(read({ results, meta: null })).toEqual({ results: ranked });
    const meta = { billed_units: { search_units: 1 }, tokens: { input_tokens: 7 } };
    expect(read({ results, meta })).toEqual({ results: ranked, searchUnits: 1, inputTokens: 7 });
  });

  it.each([[{}], [{ results: results.slice(1) }], [{ results: [{ index: 0 }, { index: 1 }] }], ['no']])(
    'rejects the response %j',
    (body) => {
      expect(read(body)).toBeUndefined();
    },
  );
});
