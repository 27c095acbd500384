import { chatCompletionsProtocol } from '../chat-completions/index.ts';
import { defineEndpoints } from '../endpoint.ts';
import { CompletionsTopLevel, TextCompletionSchema } from './schema.ts';

/** The route of the legacy text completions; their errors are those of chat completions. */
export const completionsEndpoints = defineEndpoints([
  {
    method: 'POST',
    path: '/v1/completions',
    operationId: 'createCompletion',
    summary: 'Continue a text',
    action: 'text.complete',
    credentials: ['bearer'],
    protocol: chatCompletionsProtocol,
    body: { content: { 'application/json': CompletionsTopLevel }, fileFields: [] },
    answers: {
      200: {
        description: 'The continuations, or with `stream` their chunks, the last of which is `[DONE]`',
        content: { 'application/json': TextCompletionSchema, 'text/event-stream': TextCompletionSchema },
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
