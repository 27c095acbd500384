import { countInput } from '../../text/complete-request.ts';
import type { TextRequest } from '../../text/text-request.ts';
import type { TextFault } from '../../text/text-faults.ts';
import type { WireError } from '../../http/wire-error.ts';
import type { TextWire } from '../../text/serve-text.ts';
import { openAiError, OVERLOADED, SERVER_ERROR, throttledError } from './openai-error.ts';

export function incorrectKey(): WireError {
  const message =
    'Incorrect API key provided. You can find your API key at https://platform.openai.com/account/api-keys.';
  return openAiError(401, message, { code: 'invalid_api_key' });
}

export function openAiTextWire(name: string, inputParam: 'messages' | 'input'): TextWire {
  return { name, fault: (fault, request) => formatOpenAiFault(fault, request, inputParam) };
}

/** @param inputParam name of the field that contains the conversation. */
export function formatOpenAiFault(fault: TextFault, request: TextRequest, inputParam: 'messages' | 'input'): WireError {
  switch (fault) {
    case 'unauthorized':
      return incorrectKey();
    case 'throttled':
      return throttledError(
        `Rate limit reached for ${request.model} on requests per min (RPM). Please try again in 1s.`,
      );
    case 'broken':
      return openAiError(500, SERVER_ERROR, { type: 'server_error' });
    case 'overloaded':
      return OVERLOADED;
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
