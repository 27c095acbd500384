import { describe, expect, it } from 'vitest';
import { countedEmbeddings, countedRanking } from './counted-response.ts';

const foreign = { protocol: 'openai', fields: {} } as const;

describe('countedEmbeddings', () => {
  const params = { inputs: ['a boat on a river', [1, 2, 3]], prefersBase64: false, foreign };

  it('uses the usage that the upstream reports', () => {
    expect(countedEmbeddings({ vectors: [], inputTokens: 7 }, params).inputTokens).toBe(7);
    expect(countedEmbeddings({ vectors: [], inputTokens: 0 }, params).inputTokens).toBe(0);
  });

  it('estimates the usage if the upstream reports none, and accepts tokens as input', () => {
    expect(countedEmbeddings({ vectors: [] }, params).inputTokens).toBe(5 + 3);
  });
});

describe('countedRanking', () => {
  const params = { query: 'boats', documents: ['a boat', { text: 'a kite' }], returnDocuments: false, foreign };

  it('uses the usage that the upstream reports', () => {
    expect(countedRanking({ results: [], inputTokens: 9 }, params).inputTokens).toBe(9);
  });

  it('estimates the usage if the upstream reports none, with the query counted for each document', () => {
    expect(countedRanking({ results: [] }, params).inputTokens).toBe(2 + 2 + (2 + 5));
  });
});
