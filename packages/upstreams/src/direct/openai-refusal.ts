import { lenient, Text } from '../media/lenient.ts';
import { openAiVerdict } from '../media/openai-error.ts';
import type { UpstreamAnswer } from '../http/fetch-upstream.ts';
import type { WireRefusal } from './refusal.ts';

const WireError = lenient({
  error: lenient({ message: Text, type: Text, code: Text, param: Text }),
});

/** What an upstream that speaks OpenAI's protocols refuses with: `{error: {message, type, param, code}}`. */
export function openAiRefusal({ status, body }: Pick<UpstreamAnswer, 'status' | 'body'>): WireRefusal {
  const error = WireError.parse(body)?.error;
  const isTooLong = error?.code === 'context_length_exceeded';
  return { verdict: openAiVerdict(status, error), words: error?.message, param: error?.param, isTooLong };
}
