import type { z } from 'zod';
import { type Credential, defineEndpoints } from '../contracts/endpoint.ts';
import { GENERATION_ERRORS } from '../errors/call-errors.ts';
import { responsesProtocol } from './protocol.ts';
import {
  CompactedResponseSchema,
  CompactTopLevel,
  DeletedResponseSchema,
  InputItemsPageSchema,
  InputItemsQuery,
  InputTokensSchema,
  ResponseSchema,
  ResponsesTopLevel,
  RetrieveResponseQuery,
} from './wire/schema.ts';

const credentials: readonly Credential[] = ['bearer'];
const shared = { credentials, protocol: responsesProtocol };
const jsonBody = (schema: z.ZodType) => ({ content: { 'application/json': schema }, fileFields: [] });
const jsonResponse = (description: string, schema: z.ZodType) => ({
  200: { description, content: { 'application/json': schema } },
});
const ERRORS = [
  ...GENERATION_ERRORS,
  'previous_response_not_found',
  'invalid_encrypted_content',
  'item_not_found',
  'store_unavailable',
] as const;
const STORED_ERRORS = ['response_not_found', 'store_unavailable'] as const;

export const responsesEndpoints = defineEndpoints([
  {
    ...shared,
    method: 'POST',
    path: '/v1/responses',
    operationId: 'createResponse',
    summary: 'Create a response',
    action: 'responses.create',
    headers: {
      'idempotency-key':
        'With `background`: 1 to 255 printable ASCII characters. A repeated request with the same key returns the same response for 24 hours, if a worker generates it.',
    },
    body: jsonBody(ResponsesTopLevel),
    responses: {
      200: {
        description: 'The response; with `stream`, its events',
        content: { 'application/json': ResponseSchema, 'text/event-stream': 'binary' },
      },
    },
    errors: [...ERRORS, 'idempotency_key_reused'],
  },
  {
    ...shared,
    method: 'POST',
    path: '/v1/responses/compact',
    operationId: 'compactResponse',
    summary: 'Compact a long conversation',
    action: 'responses.compact',
    body: jsonBody(CompactTopLevel),
    responses: jsonResponse('The compacted conversation', CompactedResponseSchema),
    errors: ERRORS,
  },
  {
    ...shared,
    method: 'POST',
    path: '/v1/responses/input_tokens',
    operationId: 'countResponseInputTokens',
    summary: 'Count the tokens of an input',
    action: 'responses.count-tokens',
    body: jsonBody(ResponsesTopLevel),
    responses: jsonResponse('The token count', InputTokensSchema),
    errors: ERRORS,
  },
  {
    ...shared,
    method: 'GET',
    path: '/v1/responses',
    operationId: 'openResponsesSocket',
    summary: 'Reject a web socket: responds 426, after which clients continue over HTTP',
    action: 'responses.socket',
    responses: { 200: { description: 'Never sent, because web sockets are not supported' } },
    errors: ['upgrade_required'],
  },
  {
    ...shared,
    method: 'GET',
    path: '/v1/responses/:response_id',
    operationId: 'retrieveResponse',
    summary: 'Retrieve a stored response',
    action: 'responses.retrieve',
    query: RetrieveResponseQuery,
    responses: {
      200: {
        description: 'The response; with `stream`, its events',
        content: { 'application/json': ResponseSchema, 'text/event-stream': 'binary' },
      },
    },
    errors: ['invalid_request', 'unsupported_parameter', ...STORED_ERRORS],
  },
  {
    ...shared,
    method: 'DELETE',
    path: '/v1/responses/:response_id',
    operationId: 'deleteResponse',
    summary: 'Delete a stored response',
    action: 'responses.delete',
    responses: jsonResponse('Deleted', DeletedResponseSchema),
    errors: ['payload_too_large', 'unsupported_media_type', ...STORED_ERRORS],
  },
  {
    ...shared,
    method: 'POST',
    path: '/v1/responses/:response_id/cancel',
    operationId: 'cancelResponse',
    summary: 'Cancel a background response',
    action: 'responses.cancel',
    responses: jsonResponse('The response after cancelation', ResponseSchema),
    errors: ['invalid_request', 'payload_too_large', 'unsupported_media_type', ...STORED_ERRORS],
  },
  {
    ...shared,
    method: 'GET',
    path: '/v1/responses/:response_id/input_items',
    operationId: 'listResponseInputItems',
    summary: 'List the input items of a stored response',
    action: 'responses.input-items',
    query: InputItemsQuery,
    responses: jsonResponse('A page of items', InputItemsPageSchema),
    errors: ['invalid_request', 'item_not_found', ...STORED_ERRORS],
  },
]);
