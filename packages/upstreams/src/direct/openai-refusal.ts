import { lenient, Text } from '../media/lenient.ts';
import { errorTopic, type OpenAiError, openAiDecision } from '../media/openai-error.ts';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import type { WireRefusal } from './refusal.ts';

const WireError = lenient({
  error: lenient({ message: Text, type: Text, code: Text, param: Text }),
});

/** What a server has too much of that it says it is busy with: `rate_limit_exceeded`, `server_overloaded`. */
const THROTTLED = /rate_limit|throttl/i;
const OVERLOADED = /overload|unavailable|server_is_busy/i;

/**
 * Makes what reads the events of a stream that tell an error.
 * @param refused what a refusal comes to, given its body and the status that it would have had
 */
export function openAiEventRefusal<R>(refused: (body: unknown, status: number) => R): (told: unknown) => R {
  return (told) => {
    const body = { error: typeof told === 'string' ? { message: told } : told };
    return refused(body, statusOf(WireError.parse(body)?.error));
  };
}

/** 200 where nothing tells: the upstream is there, and another may do better. */
function statusOf(error: OpenAiError | undefined): number {
  const words = `${error?.code ?? ''} ${error?.type ?? ''}`;
  if (THROTTLED.test(words)) return 429;
  if (OVERLOADED.test(words)) return 503;
  switch (errorTopic(error)) {
    case 'moderated':
    case 'invalid':
      return 400;
    case 'balance':
      return 402;
    case 'other':
      return error?.code === 'context_length_exceeded' ? 400 : 200;
  }
}

/** What an upstream that speaks OpenAI's protocols refuses with: `{error: {message, type, param, code}}`. */
export function openAiRefusal({ status, body }: Pick<UpstreamResponse, 'status' | 'body'>): WireRefusal {
  const error = WireError.parse(body)?.error;
  const isTooLong = error?.code === 'context_length_exceeded';
  return { decision: openAiDecision(status, error), words: error?.message, param: error?.param, isTooLong };
}
