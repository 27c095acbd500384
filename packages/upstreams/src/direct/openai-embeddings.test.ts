import { describe, expect, it } from 'vitest';
import { readOpenAiEmbeddings } from './openai-embeddings.ts';

const params = (count: number, more = {}) => ({
  inputs: Array.from({ length: count }, () => 'x'),
  prefersBase64: false,
  foreign: { protocol: 'openai', fields: {} } as const,
  ...more,
});
const item = (index: number | undefined, embedding: unknown) => ({ object: 'embedding', index, embedding });
const read = (data: unknown, count: number, more: object = {}) =>
  readOpenAiEmbeddings({ data, ...more }, params(count), 'm');

describe('readOpenAiEmbeddings', () => {
  it('reads floats and base64, ordered by index', () => {
    const usage = { prompt_tokens: 4, total_tokens: 4 };
    const data = [item(1, 'AAAAPwAAoL8='), item(0, [1, 2])];
    expect(read(data, 2, { usage })).toEqual({ vectors: [[1, 2], 'AAAAPwAAoL8='], inputTokens: 4 });
  });

  it('keeps the given order for vectors without an index', () => {
    expect(read([item(undefined, [1]), item(undefined, [2])], 2)).toEqual({ vectors: [[1], [2]] });
  });

  it('falls back to the total token count, and to none', () => {
    expect(read([item(0, [1])], 1, { usage: { total_tokens: 3 } })).toMatchObject({ inputTokens: 3 });
    expect(read([item(0, [1])], 1, { usage: 'free' })).toEqual({ vectors: [[1]] });
    expect(read([item(0, [1])], 1, { usage: { prompt_tokens: -1, total_tokens: 1.5 } })).toEqual({ vectors: [[1]] });
  });

  it.each([
    ['too few', [item(0, [1])], 2],
    ['too many', [item(0, [1]), item(1, [1])], 1],
    ['the same index twice', [item(0, [1]), item(0, [1])], 2],
    ['the last index twice', [item(1, [1]), item(1, [1])], 2],
    ['an index below none beside a good one', [item(-1, [1]), item(1, [1])], 2],
    ['an index that was not requested', [item(0, [1]), item(5, [1])], 2],
    ['an index below none', [item(-1, [1])], 1],
    ['an empty vector', [item(0, [])], 1],
    ['a vector of words', [item(0, ['a'])], 1],
    ['text that is no base64', [item(0, '§§§§')], 1],
    ['base64 that breaks off', [item(0, 'AAAAPwAA')], 1],
    ['a number that is none', [item(0, 'AADAfw==')], 1],
    ['no list', {}, 1],
  ])('rejects %s', (_what, data, count) => {
    expect(read(data, count)).toBeUndefined();
  });

  it('rejects vectors of another length than requested', () => {
    const body = { data: [item(0, [1, 2, 3])] };
    expect(() => readOpenAiEmbeddings(body, params(1, { dimensions: 2 }), 'm')).toThrow(
      expect.objectContaining({ code: 'unsupported_parameter' }),
    );
    expect(readOpenAiEmbeddings(body, params(1, { dimensions: 2 }), 'text-embedding-3-small')?.vectors[0]).toHaveLength(
      2,
    );
  });
});
