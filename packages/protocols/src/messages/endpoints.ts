import { type Credential, defineEndpoints } from '../contracts/endpoint.ts';
import { CALL_ERRORS, GENERATION_ERRORS } from '../errors/call-errors.ts';
import {
  CountMessageTokensSchema,
  CreateMessageSchema,
  MessageEventSchema,
  MessageSchema,
  TokenCountSchema,
} from './wire/schema.ts';
import { messagesProtocol } from './protocol.ts';

const credentials: readonly Credential[] = ['x-api-key', 'bearer'];
const headers = {
  'messages-version':
    'Required, as `messages-version` or `anthropic-version`: the date of the protocol version, e.g. `2023-06-01`.',
};
const shared = { credentials, headers, protocol: messagesProtocol, method: 'POST' } as const;

/** The routes of the messages protocol. */
export const messagesEndpoints = defineEndpoints([
  {
    ...shared,
    path: '/v1/messages',
    operationId: 'createMessage',
    summary: 'Create a message',
    action: 'text.generate',
    headers: {
      ...headers,
      'anthropic-beta': 'Goes on to upstreams of the same protocol; of no meaning for others.',
    },
    body: { content: { 'application/json': CreateMessageSchema }, fileFields: [] },
    responses: {
      200: {
        description: 'The answer; with `stream: true` as server-sent events',
        content: { 'application/json': MessageSchema, 'text/event-stream': MessageEventSchema },
      },
    },
    errors: GENERATION_ERRORS,
  },
  {
    ...shared,
    path: '/v1/messages/count_tokens',
    operationId: 'countMessageTokens',
    summary: 'Count the tokens of a message',
    action: 'text.count-tokens',
    body: { content: { 'application/json': CountMessageTokensSchema }, fileFields: [] },
    responses: { 200: { description: 'The size of the request', content: { 'application/json': TokenCountSchema } } },
    errors: CALL_ERRORS,
  },
]);
