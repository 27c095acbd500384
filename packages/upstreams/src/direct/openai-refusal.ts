import { lenient, Text } from '../media/lenient.ts';
import { errorTopic, type OpenAiError, openAiDecision } from '../media/outcomes/openai-error.ts';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import type { WireRefusal } from './refusal.ts';

const WireError = lenient({
  error: lenient({ message: Text, type: Text, code: Text, param: Text }),
});

const THROTTLED = /rate_limit|throttl/i;
const OVERLOADED = /overload|unavailable|server_is_busy/i;

/** Returns a function that maps a stream's error events. @param refused maps the error body and its inferred status */
export function openAiEventRefusal<R>(refused: (body: unknown, status: number) => R): (event: unknown) => R {
  return (event) => {
    const body = { error: typeof event === 'string' ? { message: event } : event };
    return refused(body, statusOf(WireError.parse(body)?.error));
  };
}

/** Infers the HTTP status. Unknown errors get 200, because the upstream is available and another may succeed. */
function statusOf(error: OpenAiError | undefined): number {
  const text = `${error?.code ?? ''} ${error?.type ?? ''}`;
  if (THROTTLED.test(text)) return 429;
  if (OVERLOADED.test(text)) return 503;
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

/** Reads OpenAI's error body: `{error: {message, type, param, code}}`. */
export function openAiRefusal({ status, body }: Pick<UpstreamResponse, 'status' | 'body'>): WireRefusal {
  const error = WireError.parse(body)?.error;
  const isTooLong = error?.code === 'context_length_exceeded';
  return { decision: openAiDecision(status, error), text: error?.message, param: error?.param, isTooLong };
}
