import type { Usage } from '@sluice/canonical';
import { isRecord } from '../json/is-record.ts';

/** OpenAI's audio endpoints report either tokens or seconds. Returns undefined for seconds. */
export function decodeAudioUsage(usage: unknown): Usage | undefined {
  if (!isRecord(usage)) return undefined;
  const { input_tokens: input, output_tokens: output, input_token_details: details } = usage;
  if (!isCount(input) || !isCount(output)) return undefined;
  const audio = isRecord(details) ? details['audio_tokens'] : undefined;
  return { inputTokens: input, outputTokens: output, ...(isCount(audio) && { audioInputTokens: audio }) };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

export function encodeSpeechUsage({ inputTokens, outputTokens }: Usage) {
  return { input_tokens: inputTokens, output_tokens: outputTokens, total_tokens: inputTokens + outputTokens };
}

export function encodeTranscriptUsage({ inputTokens, outputTokens, audioInputTokens }: Usage) {
  return {
    type: 'tokens',
    ...encodeSpeechUsage({ inputTokens, outputTokens }),
    ...(audioInputTokens !== undefined && {
      input_token_details: { audio_tokens: audioInputTokens, text_tokens: Math.max(0, inputTokens - audioInputTokens) },
    }),
  };
}
