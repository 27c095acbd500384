import { describe, expect, it } from 'vitest';
import { addUsage } from './session-usage.ts';

describe('addUsage', () => {
  it('adds known values', () => {
    const one = { inputTokens: 1, outputTokens: 2, cachedTokens: 3 };
    expect(addUsage(undefined, one)).toEqual(one);
    expect(addUsage(one, { inputTokens: 10, outputTokens: 20, audioInputTokens: 5 })).toEqual({
      inputTokens: 11,
      outputTokens: 22,
      cachedTokens: 3,
      audioInputTokens: 5,
    });
  });
});
