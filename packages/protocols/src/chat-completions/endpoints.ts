import { defineEndpoints } from '../contracts/endpoint.ts';
import { GENERATION_ERRORS } from '../errors/call-errors.ts';
import { chatCompletionsProtocol } from './protocol.ts';
import { ChatCompletionChunkSchema, ChatCompletionSchema, CreateChatCompletionSchema } from './wire/schema.ts';

export const chatCompletionsEndpoints = defineEndpoints([
  {
    method: 'POST',
    path: '/v1/chat/completions',
    operationId: 'createChatCompletion',
    summary: 'Create a chat completion',
    action: 'text.generate',
    credentials: ['bearer'],
    protocol: chatCompletionsProtocol,
    body: { content: { 'application/json': CreateChatCompletionSchema }, fileFields: [] },
    responses: {
      200: {
        description: 'The response, or with `stream` its chunks followed by `[DONE]`',
        content: { 'application/json': ChatCompletionSchema, 'text/event-stream': ChatCompletionChunkSchema },
      },
    },
    errors: GENERATION_ERRORS,
  },
]);
