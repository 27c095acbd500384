import { defineEndpoints } from '../contracts/endpoint.ts';
import { GENERATION_ERRORS } from '../errors/call-errors.ts';
import { chatCompletionsProtocol } from './protocol.ts';
import { ChatCompletionChunkSchema, ChatCompletionSchema, CreateChatCompletionSchema } from './wire/schema.ts';

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
    responses: {
      200: {
        description: 'The answer, or with `stream` its chunks, the last of which is `[DONE]`',
        content: { 'application/json': ChatCompletionSchema, 'text/event-stream': ChatCompletionChunkSchema },
      },
    },
    errors: GENERATION_ERRORS,
  },
]);
