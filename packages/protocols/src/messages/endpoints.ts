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
  'messages-version': {
    description: 'The date of the protocol version. The name `anthropic-version` is an alias.',
    pattern: /./,
    isRequired: true,
    example: '2023-06-01',
  },
};
const shared = { credentials, headers, protocol: messagesProtocol, method: 'POST' } as const;

export const messagesEndpoints = defineEndpoints([
  {
    ...shared,
    path: '/v1/messages',
    operationId: 'createMessage',
    summary: 'Create a message',
    action: 'text.generate',
    headers: {
      ...headers,
      'anthropic-beta':
        'Passed on to upstreams of this protocol, except for values that they do not accept; ignored by others.',
    },
    body: { content: { 'application/json': CreateMessageSchema }, fileFields: [] },
    responses: {
      200: {
        description: 'The response; server-sent events with `stream: true`',
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
    responses: { 200: { description: 'The number of tokens', content: { 'application/json': TokenCountSchema } } },
    errors: CALL_ERRORS,
  },
]);
