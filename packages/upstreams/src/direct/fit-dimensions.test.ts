import { base64Of } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { fitDimensions } from './fit-dimensions.ts';

describe('fitDimensions', () => {
  it('keeps vectors that have the requested length, and all if none was requested', () => {
    const response = { vectors: [[3, 4], base64Of([3, 4])] };
    expect(fitDimensions(response, { dimensions: 2 }, 'any')).toBe(response);
    expect(fitDimensions(response, {}, 'any')).toBe(response);
  });

  it.each([
    'text-embedding-3-small',
    'openai/text-embedding-3-large',
    'gemini-embedding-001',
    'embed-v4.0',
    'jina-embeddings-v3',
    'jina-embeddings-v4',
  ])('truncates and normalizes the vectors of %s', (model) => {
    const { vectors, inputTokens } = fitDimensions(
      { vectors: [[3, 4, 12], base64Of([0, 8, 1])], inputTokens: 5 },
      { dimensions: 2 },
      model,
    );
    expect([vectors, inputTokens]).toEqual([
      [
        [0.6, 0.8],
        [0, 1],
      ],
      5,
    ]);
  });

  it('does not divide by zero', () => {
    expect(fitDimensions({ vectors: [[0, 0, 1]] }, { dimensions: 2 }, 'embed-v4.0').vectors).toEqual([[0, 0]]);
  });

  it.each([
    ['is not made to be cut', 'text-embedding-ada-002', 2],
    ['merely sounds so', 'my-text-embedding-3', 2],
    ['makes shorter ones', 'text-embedding-3-small', 4],
  ])('refuses when the model %s', (_what, model, dimensions) => {
    expect(() => fitDimensions({ vectors: [[1, 2, 3]] }, { dimensions }, model)).toThrow(
      expect.objectContaining({ code: 'unsupported_parameter', param: 'dimensions' }),
    );
  });
});
