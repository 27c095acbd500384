import { describe, expect, it } from 'vitest';
import { rerankParams, sentBy } from '../../test/direct-wire.ts';
import { teiRerank } from './rerank.ts';

const read = (body: unknown) => teiRerank.read(body, rerankParams(), { model: 'm' });

describe('teiRerank', () => {
  it('sends texts and no model', () => {
    const foreign = { protocol: 'cohere', fields: { truncate: true, priority: 1 } } as const;
    expect(sentBy(teiRerank, rerankParams({ documents: ['a', { text: 'b' }], topN: 1, foreign }))).toEqual({
      path: '/rerank',
      json: { query: 'q', texts: ['a', 'b'], truncate: true },
      lost: ['priority'],
    });
  });

  it('sends 32 texts at a time and keeps document indexes', () => {
    const documents = Array.from({ length: 70 }, (_, index) => `text ${index}`);
    const parts = teiRerank.split?.parts(rerankParams({ documents }), { model: 'm' }) ?? [];
    expect(parts.map((part) => part.documents.length)).toEqual([32, 32, 6]);
    const responses = [0.1, 0.2, 0.3].map((score) => ({ results: [{ index: 5, score }] }));
    expect(teiRerank.split?.join(responses, parts).results).toEqual([
      { index: 5, score: 0.1 },
      { index: 37, score: 0.2 },
      { index: 69, score: 0.3 },
    ]);
  });

  it('reports a document error with its index in the request', () => {
    const documents = [...Array.from({ length: 40 }, () => 'a'), { image: 'https://x.example/a.png' }];
    expect(() => teiRerank.split?.parts(rerankParams({ documents }), { model: 'm' })).toThrow(
      expect.objectContaining({ code: 'unsupported_parameter', param: 'documents[40][image]' }),
    );
  });

  it('reads a list of scores', () => {
    const scores = [
      { index: 1, score: 0.9, text: 'b' },
      { index: 0, score: 0.1 },
    ];
    expect(read(scores)?.results).toEqual([
      { index: 1, score: 0.9 },
      { index: 0, score: 0.1 },
    ]);
    expect(read(scores.slice(1))).toBeUndefined();
    expect(read({ results: scores })).toBeUndefined();
  });
});
