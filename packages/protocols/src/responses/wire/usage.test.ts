import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeUsage, encodeUsage } from './usage.ts';

describe('usage', () => {
  it('is unchanged after a round trip', () => {
    const count = fc.nat(100_000);
    const usage = fc.record({
      inputTokens: count,
      outputTokens: count,
      cachedTokens: count,
      cacheWriteTokens: count,
      reasoningTokens: count,
    });
    fc.assert(
      fc.property(usage, (counts) => {
        expect(decodeUsage(encodeUsage(counts))).toEqual(counts);
      }),
    );
  });

  it('is never negative', () => {
    const { prompt_tokens_details: details } = encodeUsage({ inputTokens: 1, outputTokens: 0, audioInputTokens: 5 });
    expect(details.text_tokens).toBe(0);
  });

  it('omits the details that the vendor does not report', () => {
    const usage = encodeUsage({ inputTokens: 3, outputTokens: 2, cachedTokens: 1 });
    expect(usage.prompt_tokens_details).toEqual({ cached_tokens: 1 });
    expect(usage.completion_tokens_details).toEqual({});
    const split = encodeUsage({ inputTokens: 3, outputTokens: 2, imageInputTokens: 2, audioOutputTokens: 1 });
    expect(split.prompt_tokens_details).toEqual({ text_tokens: 1, image_tokens: 2 });
    expect(split.completion_tokens_details).toEqual({ text_tokens: 1, audio_tokens: 1 });
  });

  it('also reads the names of chat completions', () => {
    expect(
      decodeUsage({ prompt_tokens: 3, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 1 } }),
    ).toEqual({ inputTokens: 3, outputTokens: 2, cachedTokens: 1 });
  });

  it('reads searches and the service tier from the response', () => {
    const response: Record<string, unknown> = {
      service_tier: 'flex',
      tool_usage: { web_search: { num_requests: 3 }, image_gen: {} },
    };
    expect(decodeUsage({ input_tokens: 3, output_tokens: 2 }, undefined, (name) => response[name])).toEqual({
      inputTokens: 3,
      outputTokens: 2,
      searches: 3,
      serviceTier: 'flex',
    });
  });

  it('preserves earlier values without new ones', () => {
    const before = { inputTokens: 3, outputTokens: 2, cachedTokens: 1 };
    expect(decodeUsage(null, before)).toBe(before);
    expect(decodeUsage({ output_tokens: 5 }, before)).toEqual({ ...before, outputTokens: 5 });
    expect(decodeUsage('x')).toBeUndefined();
  });
});
