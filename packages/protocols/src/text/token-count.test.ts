import { describe, expect, it } from 'vitest';
import { decodeUsage as ofChat } from '../chat-completions/wire/usage.ts';
import { decodeUsage as ofContent } from '../generative-content/wire/usage.ts';
import { decodeUsage as ofMessages } from '../messages/wire/usage.ts';
import { decodeUsage as ofResponses } from '../responses/wire/usage.ts';
import { tokenCount } from './token-count.ts';

describe('tokenCount', () => {
  it.each([0, 7, Number.MAX_SAFE_INTEGER])('accepts %d', (value) => {
    expect(tokenCount(value)).toBe(value);
  });

  it.each([-1, -0.5, Number.NaN, Infinity, 1e21, '7', null, undefined, {}])('rejects %s', (value) => {
    expect(tokenCount(value)).toBeUndefined();
  });

  const negative = -1_000_000;
  it.each([
    ['chat-completions', ofChat, usageOf('prompt_tokens', 'completion_tokens')],
    ['responses', ofResponses, usageOf('input_tokens', 'output_tokens')],
    ['responses with the names of chat', ofResponses, usageOf('prompt_tokens', 'completion_tokens')],
    [
      'messages',
      ofMessages,
      {
        input_tokens: negative,
        cache_read_input_tokens: negative,
        cache_creation_input_tokens: negative,
        output_tokens: 3,
        output_tokens_details: { thinking_tokens: negative },
      },
    ],
    [
      'generative-content',
      ofContent,
      {
        promptTokenCount: negative,
        toolUsePromptTokenCount: String(negative),
        cachedContentTokenCount: negative,
        candidatesTokenCount: 3,
        thoughtsTokenCount: negative,
        totalTokenCount: 3,
        promptTokensDetails: [{ modality: 'AUDIO', tokenCount: negative }],
      },
    ],
  ] as const)('ignores negative values in the usage of %s', (_protocol, decodeUsage, usage) => {
    expect(decodeUsage(usage)).toEqual({ inputTokens: 0, outputTokens: 3 });
  });

  function usageOf(input: string, output: string) {
    return {
      [input]: negative,
      [output]: 3,
      [`${input}_details`]: {
        cached_tokens: negative,
        cache_write_tokens: negative,
        audio_tokens: negative,
        image_tokens: negative,
      },
      [`${output}_details`]: { reasoning_tokens: negative, audio_tokens: negative },
    };
  }
});
