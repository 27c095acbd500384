import { chatCompletionsProtocol } from '../chat-completions/index.ts';
import { defineEndpoints } from '../contracts/endpoint.ts';
import { GENERATION_ERRORS } from '../errors/call-errors.ts';
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
    responses: {
      200: {
        description: 'The continuations, or with `stream` their chunks, the last of which is `[DONE]`',
        content: { 'application/json': TextCompletionSchema, 'text/event-stream': TextCompletionSchema },
      },
    },
    errors: GENERATION_ERRORS,
  },
]);
