import type { Usage } from '@sluice/canonical';
import { isRecord } from '../json/is-record.ts';

/**
 * Decodes `{input_tokens, output_tokens, input_token_details, output_token_details}`, or `{seconds}` of a transcription
 * that is billed by time.
 */
export function usageOf(value: unknown): { usage?: Usage } {
  if (!isRecord(value)) return {};
  const [input, output] = [value['input_token_details'], value['output_token_details']];
  const inputTokens = count(value, 'input_tokens');
  const outputTokens = count(value, 'output_tokens');
  const audioSeconds = secondsOf(value['seconds']);
  if (inputTokens === undefined && outputTokens === undefined && audioSeconds === undefined) return {};
  const details = {
    cachedTokens: count(input, 'cached_tokens'),
    audioInputTokens: count(input, 'audio_tokens'),
    imageInputTokens: count(input, 'image_tokens'),
    audioOutputTokens: count(output, 'audio_tokens'),
    audioSeconds,
    reasoningTokens: count(output, 'reasoning_tokens'),
  };
  const reported = Object.fromEntries(Object.entries(details).filter(([, tokens]) => tokens !== undefined));
  return { usage: { inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0, ...reported } };
}

function count(value: unknown, name: string): number | undefined {
  if (!isRecord(value)) return undefined;
  const tokens = value[name];
  return typeof tokens === 'number' && Number.isSafeInteger(tokens) && tokens >= 0 ? tokens : undefined;
}

/** More than a session can have is an error. */
const MAX_SECONDS = 2_678_400;

function secondsOf(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= MAX_SECONDS ? value : undefined;
}

export function addUsage(one: Usage | undefined, other: Usage): Usage {
  const sum: Usage = { ...one, ...other };
  if (one === undefined) return sum;
  // The cast is safe because `usageOf` sets only counts.
  const names = Object.keys(sum) as Exclude<keyof Usage, 'serviceTier'>[];
  for (const name of names) sum[name] = (one[name] ?? 0) + (other[name] ?? 0);
  return sum;
}
