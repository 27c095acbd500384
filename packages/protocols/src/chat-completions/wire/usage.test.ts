import { describe, expect, it } from 'vitest';
import { decodeUsage, encodeUsage } from './usage.ts';

describe('usage', () => {
  it('includes cached and reasoning tokens in the totals, both ways', () => {
    const wire = {
      prompt_tokens: 110,
      completion_tokens: 5,
      total_tokens: 115,
      prompt_tokens_details: { cached_tokens: 75, cache_write_tokens: 10, audio_tokens: 1, image_tokens: 2 },
      completion_tokens_details: { reasoning_tokens: 3, audio_tokens: 1 },
    };
    const usage = decodeUsage(wire);
    expect(usage).toEqual({
      inputTokens: 110,
      outputTokens: 5,
      cachedTokens: 75,
      cacheWriteTokens: 10,
      audioInputTokens: 1,
      imageInputTokens: 2,
      reasoningTokens: 3,
      audioOutputTokens: 1,
    });
    expect(usage && encodeUsage(usage)).toEqual(wire);
  });

  it('omits unknown counts', () => {
    expect(encodeUsage({ inputTokens: 1, outputTokens: 2 })).toEqual({
      prompt_tokens: 1,
      completion_tokens: 2,
      total_tokens: 3,
    });
  });

  it('adds reasoning tokens that the vendor counts separately', () => {
    const separate = {
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 35,
      completion_tokens_details: { reasoning_tokens: 20 },
    };
    expect(decodeUsage(separate)?.outputTokens).toBe(25);
  });

  it('reads DeepSeek’s cache hits, preserves earlier counts, and ignores empty usage', () => {
    expect(decodeUsage({ prompt_tokens: 9, completion_tokens: 1, prompt_cache_hit_tokens: 4 })?.cachedTokens).toBe(4);
    const before = { inputTokens: 9, outputTokens: 1, cachedTokens: 4 };
    expect(decodeUsage({ prompt_tokens: 9, completion_tokens: 2 }, before)).toEqual({ ...before, outputTokens: 2 });
    expect(decodeUsage(null, before)).toEqual(before);
    expect(decodeUsage({})).toBeUndefined();
  });
});
