import { describe, expect, it } from 'vitest';
import { rankDocuments } from './rank-documents.ts';

const documents = ['Taxes are due in April.', 'A river of paper boats', 'paper boat', 'Taxes, again'];

describe('rankDocuments', () => {
  it('ranks by shared words, then brevity, then position', () => {
    const ranks = rankDocuments('Paper boats [slow:1]', documents);
    expect(ranks.map(({ index }) => index)).toEqual([2, 1, 0, 3]);
    expect(ranks.map(({ score }) => score)).toEqual([1, expect.any(Number), 0, 0]);
    expect(ranks[1]?.score).toBeGreaterThan(0.9);
  });

  it('weighs articles low', () => {
    const [best] = rankDocuments('the capital of a country', ['the end of a day', 'Capital letters']);
    expect(best?.index).toBe(1);
  });

  it('scores 0 for a query without words', () => {
    expect(rankDocuments('?!', ['?!']).map(({ score }) => score)).toEqual([0]);
  });
});
