import { describe, expect, it } from 'vitest';
import { decodeUsage as ofChat } from '../chat-completions/wire/usage.ts';
import { decodeUsage as ofContent } from '../generative-content/wire/usage.ts';
import { decodeUsage as ofMessages } from '../messages/wire/usage.ts';
import { decodeUsage as ofResponses } from '../responses/wire/usage.ts';
import { tokenCount } from './token-count.ts';

describe('token counts', () => {
  it.each([0, 7, Number.MAX_SAFE_INTEGER])('accept %d', (told) => {
    expect(tokenCount(told)).toBe(told);
  });

  it.each([-1, -0.5, Number.NaN, Infinity, 1e21, '7', null, undefined, {}])('reject %s', (told) => {
    expect(tokenCount(told)).toBeUndefined();
  });

  const many = -1_000_000;
  it.each([
    ['chat-completions', ofChat, ofUsual('prompt_tokens', 'completion_tokens')],
    ['responses', ofResponses, ofUsual('input_tokens', 'output_tokens')],
    ['responses in the words of chat', ofResponses, ofUsual('prompt_tokens', 'completion_tokens')],
    [
      'messages',
      ofMessages,
      {
        input_tokens: many,
        cache_read_input_tokens: many,
        cache_creation_input_tokens: many,
        output_tokens: 3,
        output_tokens_details: { thinking_tokens: many },
      },
    ],
    [
      'generative-content',
      ofContent,
      {
        promptTokenCount: many,
        toolUsePromptTokenCount: String(many),
        cachedContentTokenCount: many,
        candidatesTokenCount: 3,
        thoughtsTokenCount: many,
        totalTokenCount: 3,
        promptTokensDetails: [{ modality: 'AUDIO', tokenCount: many }],
      },
    ],
  ] as const)('ignore negative values in the usage of %s', (_protocol, decodeUsage, told) => {
    expect(decodeUsage(told)).toEqual({ inputTokens: 0, outputTokens: 3 });
  });

  function ofUsual(input: string, output: string) {
    return {
      [input]: many,
      [output]: 3,
      [`${input}_details`]: { cached_tokens: many, cache_write_tokens: many, audio_tokens: many, image_tokens: many },
      [`${output}_details`]: { reasoning_tokens: many, audio_tokens: many },
    };
  }
});
