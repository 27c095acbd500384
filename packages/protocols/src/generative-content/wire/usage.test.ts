import { describe, expect, it } from 'vitest';
import { decodeUsage, encodeUsage } from './usage.ts';

describe('decodeUsage', () => {
  it('counts thoughts as output and tool prompts as input', () => {
    expect(
      decodeUsage({
        promptTokenCount: 100,
        cachedContentTokenCount: 60,
        toolUsePromptTokenCount: 10,
        candidatesTokenCount: 20,
        thoughtsTokenCount: 30,
        totalTokenCount: 160,
        promptTokensDetails: [
          { modality: 'TEXT', tokenCount: 90 },
          { modality: 'AUDIO', tokenCount: 10 },
        ],
      }),
    ).toEqual({ inputTokens: 110, outputTokens: 50, cachedTokens: 60, reasoningTokens: 30, audioInputTokens: 10 });
  });

  it('derives the output from the total if candidates are not counted', () => {
    expect(decodeUsage({ promptTokenCount: 5, totalTokenCount: 12 })).toEqual({ inputTokens: 5, outputTokens: 7 });
  });

  it('keeps earlier usage when an update has none', () => {
    const before = { inputTokens: 1, outputTokens: 2 };
    expect(decodeUsage(undefined, before)).toBe(before);
    expect(decodeUsage({}, before)).toBe(before);
    expect(decodeUsage(null)).toBeUndefined();
  });
});

describe('the service tier', () => {
  it('is part of the usage', () => {
    expect(decodeUsage({ promptTokenCount: 1, serviceTier: 'PRIORITY' })?.serviceTier).toBe('priority');
  });
});

describe('encodeUsage', () => {
  it('separates thoughts from candidates', () => {
    expect(encodeUsage({ inputTokens: 110, outputTokens: 50, cachedTokens: 60, reasoningTokens: 30 })).toEqual({
      promptTokenCount: 110,
      cachedContentTokenCount: 60,
      candidatesTokenCount: 20,
      thoughtsTokenCount: 30,
      totalTokenCount: 160,
    });
  });

  it('decodes to the usage that was encoded', () => {
    const usage = {
      inputTokens: 110,
      outputTokens: 50,
      cachedTokens: 1,
      reasoningTokens: 30,
      audioInputTokens: 4,
      imageInputTokens: 5,
      audioOutputTokens: 6,
      imageOutputTokens: 7,
    };
    expect(decodeUsage(encodeUsage(usage))).toEqual(usage);
  });
});
