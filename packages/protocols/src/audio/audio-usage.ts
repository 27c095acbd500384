import type { Usage } from '@sluice/canonical';
import { isRecord } from '../json/is-record.ts';

/** OpenAI's audio endpoints report either tokens or seconds. Mistral reports both, under other names. */
export function decodeAudioUsage(usage: unknown): Usage | undefined {
  if (!isRecord(usage)) return undefined;
  const input = usage['input_tokens'] ?? usage['prompt_tokens'];
  const output = usage['output_tokens'] ?? usage['completion_tokens'];
  const seconds = usage['seconds'] ?? usage['prompt_audio_seconds'];
  const details = usage['input_token_details'];
  const audio = isRecord(details) ? details['audio_tokens'] : undefined;
  const hasTokens = isCount(input) && isCount(output);
  if (!hasTokens && !isSeconds(seconds)) return undefined;
  return {
    inputTokens: hasTokens ? input : 0,
    outputTokens: hasTokens ? output : 0,
    ...(isCount(audio) && { audioInputTokens: audio }),
    ...(isSeconds(seconds) && { audioSeconds: seconds }),
  };
}

/** A longer duration than a month is an error. */
const MAX_SECONDS = 2_678_400;

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isSeconds(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= MAX_SECONDS;
}

export function encodeSpeechUsage({ inputTokens, outputTokens }: Usage) {
  return { input_tokens: inputTokens, output_tokens: outputTokens, total_tokens: inputTokens + outputTokens };
}

export function encodeTranscriptUsage({ inputTokens, outputTokens, audioInputTokens, audioSeconds }: Usage) {
  if (audioSeconds !== undefined && inputTokens + outputTokens === 0)
    return { type: 'duration', seconds: audioSeconds };
  return {
    type: 'tokens',
    ...encodeSpeechUsage({ inputTokens, outputTokens }),
    ...(audioInputTokens !== undefined && {
      input_token_details: { audio_tokens: audioInputTokens, text_tokens: Math.max(0, inputTokens - audioInputTokens) },
    }),
  };
}
