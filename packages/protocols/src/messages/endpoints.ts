import { type Credential, defineEndpoints } from '../endpoint.ts';
import { CALL_ERRORS, GENERATION_ERRORS } from '../call-errors.ts';
import type { TextProtocol } from '../text-protocol.ts';
import { decodeRequest } from './client/decode-request.ts';
import { decodeResponse } from './upstream/decode-response.ts';
import { decodeStream } from './upstream/decode-stream.ts';
import { encodeRequest } from './upstream/encode-request.ts';
import { encodeResponse } from './client/encode-response.ts';
import { encodeStream } from './client/encode-stream.ts';
import { decodeError, encodeError } from './wire/errors.ts';
import {
  CountMessageTokensSchema,
  CreateMessageSchema,
  MessageEventSchema,
  MessageSchema,
  MessagesErrorSchema,
  TokenCountSchema,
} from './wire/schema.ts';
import { tokenCounting } from './wire/token-counting.ts';
import { decodeUsage } from './wire/usage.ts';

/** Anthropic's messages protocol (@anthropic-ai/sdk 1.11, `resources/messages`). */
export const messagesProtocol: TextProtocol = {
  name: 'messages',
  topLevel: CreateMessageSchema,
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
  decodeStream,
  encodeStream,
  decodeUsage,
  decodeError,
  encodeError,
  errorSchema: MessagesErrorSchema,
  tokenCounting,
};

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
