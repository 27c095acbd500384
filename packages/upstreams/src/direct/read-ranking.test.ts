import { describe, expect, it } from 'vitest';
import { readRanking } from './read-ranking.ts';

const ranked = (...indices: number[]) => indices.map((index) => ({ index, score: 0.5 }));
const documents = ['a', 'b', 'c'];

describe('readRanking', () => {
  it.each([
    ['all documents', ranked(2, 0, 1), undefined],
    ['the best', ranked(2), 1],
    ['all results although fewer were requested', ranked(2, 0, 1), 1],
    ['all results although more were requested', ranked(2, 0, 1), 9],
  ])('accepts %s', (_what, results, topN) => {
    expect(readRanking(results, { documents, ...(topN !== undefined && { topN }) })).toBe(results);
  });

  it.each([
    ['a document that is not there', ranked(0, 1, 3)],
    ['one before the first', ranked(-1, 0, 1)],
    ['a document twice', ranked(0, 1, 1)],
    ['fewer than requested', ranked(0, 1)],
  ])('rejects %s', (_what, results) => {
    expect(readRanking(results, { documents })).toBeUndefined();
  });
});
