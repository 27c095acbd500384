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
} from './wire/schema.ts';

const credentials: readonly Credential[] = ['bearer'];
const shared = { credentials, protocol: responsesProtocol };
const response = { 'application/json': ResponseSchema };
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
    body: { content: { 'application/json': ResponsesTopLevel }, fileFields: [] },
    responses: {
      200: {
        description: 'The response; with `stream`, its events',
        content: { ...response, 'text/event-stream': 'binary' },
      },
    },
    errors: ERRORS,
  },
  {
    ...shared,
    method: 'POST',
    path: '/v1/responses/compact',
    operationId: 'compactResponse',
    summary: 'Compact a long conversation',
    action: 'responses.compact',
    body: { content: { 'application/json': CompactTopLevel }, fileFields: [] },
    responses: {
      200: { description: 'The compacted conversation', content: { 'application/json': CompactedResponseSchema } },
    },
    errors: ERRORS,
  },
  {
    ...shared,
    method: 'POST',
    path: '/v1/responses/input_tokens',
    operationId: 'countResponseInputTokens',
    summary: 'Count the tokens of an input',
    action: 'responses.count-tokens',
    body: { content: { 'application/json': ResponsesTopLevel }, fileFields: [] },
    responses: { 200: { description: 'The token count', content: { 'application/json': InputTokensSchema } } },
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
    responses: { 200: { description: 'The response', content: response } },
    errors: ['invalid_request', ...STORED_ERRORS],
  },
  {
    ...shared,
    method: 'DELETE',
    path: '/v1/responses/:response_id',
    operationId: 'deleteResponse',
    summary: 'Delete a stored response',
    action: 'responses.delete',
    responses: { 200: { description: 'Deleted', content: { 'application/json': DeletedResponseSchema } } },
    errors: ['payload_too_large', 'unsupported_media_type', ...STORED_ERRORS],
  },
  {
    ...shared,
    method: 'POST',
    path: '/v1/responses/:response_id/cancel',
    operationId: 'cancelResponse',
    summary: 'Cancel a background response',
    action: 'responses.cancel',
    responses: { 200: { description: 'The response after cancelation', content: response } },
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
    responses: { 200: { description: 'A page of items', content: { 'application/json': InputItemsPageSchema } } },
    errors: ['invalid_request', 'item_not_found', ...STORED_ERRORS],
  },
]);
