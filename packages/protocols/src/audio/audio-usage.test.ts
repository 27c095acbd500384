import { describe, expect, it } from 'vitest';
import { decodeAudioUsage, encodeTranscriptUsage } from './audio-usage.ts';

describe('decodeAudioUsage', () => {
  it.each([
    [
      { type: 'tokens', input_tokens: 14, output_tokens: 4, input_token_details: { audio_tokens: 10, text_tokens: 4 } },
      { inputTokens: 14, outputTokens: 4, audioInputTokens: 10 },
    ],
    [
      { type: 'duration', seconds: 7.5 },
      { inputTokens: 0, outputTokens: 0, audioSeconds: 7.5 },
    ],
    [
      { prompt_audio_seconds: 3, prompt_tokens: 8, completion_tokens: 4, total_tokens: 12 },
      { inputTokens: 8, outputTokens: 4, audioSeconds: 3 },
    ],
    [{ seconds: 1e9 }, undefined],
    [{ seconds: '7' }, undefined],
    [{ input_tokens: 3 }, undefined],
    [null, undefined],
  ])('reads %o', (usage, expected) => {
    expect(decodeAudioUsage(usage)).toEqual(expected);
  });
});

describe('encodeTranscriptUsage', () => {
  it('has seconds if there are no tokens', () => {
    const usage = { inputTokens: 0, outputTokens: 0, audioSeconds: 7.5 };
    expect(encodeTranscriptUsage(usage)).toEqual({ type: 'duration', seconds: 7.5 });
    expect(encodeTranscriptUsage({ ...usage, outputTokens: 2 })).toMatchObject({ type: 'tokens', output_tokens: 2 });
  });
});
