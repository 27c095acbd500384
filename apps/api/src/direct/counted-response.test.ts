import { describe, expect, it } from 'vitest';
import { countedEmbeddings, countedRanking } from './counted-response.ts';

const foreign = { protocol: 'openai', fields: {} } as const;

describe('what vectors cost', () => {
  const params = { inputs: ['a boat on a river', [1, 2, 3]], prefersBase64: false, foreign };

  it('is what the upstream tells', () => {
    expect(countedEmbeddings({ vectors: [], inputTokens: 7 }, params).inputTokens).toBe(7);
    expect(countedEmbeddings({ vectors: [], inputTokens: 0 }, params).inputTokens).toBe(0);
  });

  it('is estimated where it tells nothing, and tokens are counted', () => {
    expect(countedEmbeddings({ vectors: [] }, params).inputTokens).toBe(5 + 3);
  });
});

describe('what a ranking costs', () => {
  const params = { query: 'boats', documents: ['a boat', { text: 'a kite' }], returnDocuments: false, foreign };

  it('is what the upstream tells', () => {
    expect(countedRanking({ results: [], inputTokens: 9 }, params).inputTokens).toBe(9);
  });

  it('is estimated where it tells nothing, with the query for each document', () => {
    expect(countedRanking({ results: [] }, params).inputTokens).toBe(2 + 2 + (2 + 5));
  });
});
