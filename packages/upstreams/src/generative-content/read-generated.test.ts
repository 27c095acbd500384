import { describe, expect, it } from 'vitest';
import { generatedParts, generatedUsage } from './read-generated.ts';

const response = (finishReason: string | undefined, parts: object[] = [{ text: 'half' }]) => ({
  candidates: [{ ...(finishReason !== undefined && { finishReason }), content: { parts } }],
});

describe('Gemini response', () => {
  it.each(['STOP', 'FINISH_REASON_UNSPECIFIED', undefined])('that ends with %s is complete', (reason) => {
    expect(generatedParts(response(reason))).toEqual([{ text: 'half' }]);
  });

  it('that was cut off at the length limit fails on every upstream', () => {
    expect(() => generatedParts(response('MAX_TOKENS'))).toThrow(
      expect.objectContaining({ status: 400, error: expect.objectContaining({ code: 'provider_error' }) }),
    );
  });

  it.each(['OTHER', 'LANGUAGE', 'MALFORMED_FUNCTION_CALL', 'novel'])(
    'that ends with %s may succeed elsewhere',
    (reason) => {
      expect(() => generatedParts(response(reason, []))).toThrow(
        expect.objectContaining({ status: 200, error: expect.objectContaining({ code: 'provider_error' }) }),
      );
    },
  );

  it('has the audio tokens of its input and output', () => {
    const usageMetadata = {
      promptTokenCount: 30,
      promptTokensDetails: [{ modality: 'TEXT', tokenCount: 5 }, { modality: 'AUDIO', tokenCount: 25 }, null],
      candidatesTokenCount: 9,
      candidatesTokensDetails: [
        { modality: 'AUDIO', tokenCount: 9 },
        { modality: 'AUDIO', tokenCount: '1' },
      ],
      thoughtsTokenCount: 2,
    };
    expect(generatedUsage({ usageMetadata })).toEqual({
      inputTokens: 30,
      outputTokens: 11,
      audioInputTokens: 25,
      audioOutputTokens: 9,
    });
  });

  it.each([-1, 1.5, 1e300, '3'])('has no usage of %j tokens', (promptTokenCount) => {
    expect(generatedUsage({ usageMetadata: { promptTokenCount } })).toBeUndefined();
  });
});
