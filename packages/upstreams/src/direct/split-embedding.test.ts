import { describe, expect, it } from 'vitest';
import { splitEmbedding } from './split-embedding.ts';

const split = splitEmbedding(2);
const params = {
  inputs: ['a', 'b', 'c'],
  dimensions: 4,
  prefersBase64: false,
  foreign: { protocol: 'openai', fields: {} },
};

describe('splitEmbedding', () => {
  it('splits texts with their titles and copies everything else to each part', () => {
    const { inputs: _, ...rest } = params;
    const foreign = { protocol: 'openai', fields: {} } as const;
    expect(split.parts({ ...params, foreign, titles: ['1', undefined, '3'] }, { model: 'm' })).toEqual([
      { ...rest, inputs: ['a', 'b'], titles: ['1', undefined] },
      { ...rest, inputs: ['c'], titles: ['3'] },
    ]);
    expect(split.parts({ ...params, foreign }, { model: 'm' })[0]).not.toHaveProperty('titles');
  });

  it('joins vectors in order and sums the reported tokens', () => {
    const responses = [
      { vectors: [[1], [2]], inputTokens: 3 },
      { vectors: ['AAAAPw=='], inputTokens: 4 },
    ];
    expect(split.join(responses, [])).toEqual({ vectors: [[1], [2], 'AAAAPw=='], inputTokens: 7 });
    expect(split.join([...responses, { vectors: [] }], [])).not.toHaveProperty('inputTokens');
  });
});
