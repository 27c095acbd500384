import { countInput } from '../../text/complete-request.ts';
import type { TextRequest } from '../../text/text-request.ts';
import type { TextFault } from '../../text/text-faults.ts';
import type { WireError } from '../../http/wire-error.ts';
import { openAiError } from './openai-error.ts';

export function incorrectKey(): WireError {
  const message =
    'Incorrect API key provided. You can find your API key at https://platform.openai.com/account/api-keys.';
  return openAiError(401, message, { code: 'invalid_api_key' });
}

/** @param inputParam the wire's name for the conversation. */
export function formatOpenAiFault(fault: TextFault, request: TextRequest, inputParam: 'messages' | 'input'): WireError {
  switch (fault) {
    case 'unauthorized':
      return incorrectKey();
    case 'throttled':
      return openAiError(
        429,
        `Rate limit reached for ${request.model} on requests per min (RPM). Please try again in 1s.`,
        {
          type: 'requests',
          code: 'rate_limit_exceeded',
          headers: { 'retry-after': '1' },
        },
      );
    case 'broken': {
      const message = 'The server had an error while processing your request. Sorry about that!';
      return openAiError(500, message, { type: 'server_error' });
    }
    case 'overloaded': {
      const message = 'The engine is currently overloaded, please try again later.';
      return openAiError(503, message, { type: 'server_error', code: 'server_is_overloaded' });
    }
    case 'context': {
      const tokens = countInput(request).input + 128_000;
      const message =
        inputParam === 'messages'
          ? `This model's maximum context length is 128000 tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`
          : 'Your input exceeds the context window of this model. Please adjust your input and try again.';
      return openAiError(400, message, { param: inputParam, code: 'context_length_exceeded' });
    }
  }
}
