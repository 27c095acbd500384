import { chatCompletionsProtocol } from '../chat-completions/index.ts';
import { defineEndpoints } from '../contracts/endpoint.ts';
import { GENERATION_ERRORS } from '../errors/call-errors.ts';
import { CompletionsTopLevel, TextCompletionSchema } from './schema.ts';

/** The legacy text completions route, with the errors of chat completions. */
export const completionsEndpoints = defineEndpoints([
  {
    method: 'POST',
    path: '/v1/completions',
    operationId: 'createCompletion',
    summary: 'Continue a text',
    action: 'text.complete',
    credentials: ['bearer'],
    protocol: chatCompletionsProtocol,
    body: { content: { 'application/json': CompletionsTopLevel }, fileFields: [], isText: true },
    responses: {
      200: {
        description: 'The completions, or with `stream` their chunks followed by `[DONE]`',
        content: { 'application/json': TextCompletionSchema, 'text/event-stream': TextCompletionSchema },
      },
    },
    errors: GENERATION_ERRORS,
  },
]);
