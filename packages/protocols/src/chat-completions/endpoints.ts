import { defineEndpoints } from '../endpoint.ts';
import { chatCompletionsProtocol } from './protocol.ts';
import { ChatCompletionChunkSchema, ChatCompletionSchema, CreateChatCompletionSchema } from './schema.ts';

/** The route of the chat completions protocol. */
export const chatCompletionsEndpoints = defineEndpoints([
  {
    method: 'POST',
    path: '/v1/chat/completions',
    operationId: 'createChatCompletion',
    summary: 'Answer a conversation',
    action: 'text.generate',
    credentials: ['bearer'],
    protocol: chatCompletionsProtocol,
    body: { content: { 'application/json': CreateChatCompletionSchema }, fileFields: [] },
    answers: {
      200: {
        description: 'The answer, or with `stream` its chunks, the last of which is `[DONE]`',
        content: { 'application/json': ChatCompletionSchema, 'text/event-stream': ChatCompletionChunkSchema },
      },
    },
    errors: [
      'invalid_request',
      'unsupported_parameter',
      'context_length_exceeded',
      'content_policy',
      'model_not_allowed',
      'model_not_found',
      'payload_too_large',
      'unsupported_media_type',
      'rate_limited',
      'provider_auth',
      'provider_quota',
      'provider_error',
      'provider_overloaded',
      'no_upstream',
      'deadline_exceeded',
    ],
  },
]);
