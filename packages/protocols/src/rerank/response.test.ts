import type { Ranking, RerankParams } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { encodeRanking } from './response.ts';
import { RankingSchema } from './schema.ts';

const PARAMS: RerankParams = {
  query: 'q',
  documents: ['a', { title: 'b', year: 7 }, 'c'],
  returnDocuments: false,
  foreign: { protocol: 'cohere', fields: {} },
};

function response(ranking: Partial<Ranking>, params: Partial<RerankParams> = {}) {
  const results = [
    { index: 2, score: 0.5 },
    { index: 0, score: 0.5 },
    { index: 1, score: 0.9 },
  ];
  const context = {
    model: 'requested-model',
    params: { ...PARAMS, ...params },
    newId: (prefix: string) => `${prefix}1`,
  };
  return encodeRanking({ results, ...ranking }, context);
}

describe('rerank responses', () => {
  it("have the fields of Cohere's and Jina's clients, best first and ties in the order of the request", () => {
    const encoded = response({ searchUnits: 1, inputTokens: 12 });
    expect(encoded).toEqual({
      id: 'rerank-1',
      model: 'requested-model',
      results: [
        { index: 1, relevance_score: 0.9 },
        { index: 0, relevance_score: 0.5 },
        { index: 2, relevance_score: 0.5 },
      ],
      meta: { api_version: { version: '2' }, billed_units: { search_units: 1 }, tokens: { input_tokens: 12 } },
      usage: { prompt_tokens: 12, total_tokens: 12 },
    });
    expect(RankingSchema.safeParse(encoded).success).toBe(true);
  });

  it('omit search units if the vendor bills another unit', () => {
    expect(response({}).meta.billed_units).toEqual({});
  });

  it('return the documents on request: a text as `{text}`, an object unchanged', () => {
    const { results } = response({}, { returnDocuments: true });
    expect(results.map(({ document }) => document)).toEqual([{ title: 'b', year: 7 }, { text: 'a' }, { text: 'c' }]);
  });

  it.each([
    [1, [1]],
    [2, [1, 0]],
    [9, [1, 0, 2]],
  ])('have only the best %d, even if the upstream returns all', (topN, indices) => {
    expect(response({}, { topN }).results.map(({ index }) => index)).toEqual(indices);
  });
});
