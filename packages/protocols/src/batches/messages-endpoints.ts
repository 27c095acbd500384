import type { BatchesFormat, BatchesProtocol } from '../contracts/batches-protocol.ts';
import { type Credential, defineEndpoints } from '../contracts/endpoint.ts';
import type { TextProtocol } from '../contracts/text-protocol.ts';
import { DryRunQuerySchema } from '../media/cost-controls.ts';
import { BATCH_ACCESS, BATCH_ACTION, BATCH_CREATION, BATCH_RESULTS } from './batch-errors.ts';
import { createdBatch } from './estimate.ts';
import {
  CreateMessageBatchSchema,
  DeletedMessageBatchSchema,
  ListMessageBatchesSchema,
  MessageBatchPageSchema,
  MessageBatchSchema,
  MessageResultSchema,
} from './messages-schema.ts';

const credentials: readonly Credential[] = ['x-api-key', 'bearer'];
const batch = { 200: { description: 'The batch', content: { 'application/json': MessageBatchSchema } } };
const created = createdBatch(MessageBatchSchema);
/** Anthropic's batches (@anthropic-ai/sdk 1.11, `resources/messages/batches`). */
export function messageBatchesEndpoints({ name, encodeError, errorSchema }: TextProtocol, format: BatchesFormat) {
  const protocol: BatchesProtocol = { name, encodeError, errorSchema, formatOf: () => format };
  const shared = { credentials, protocol };
  return defineEndpoints([
    {
      ...shared,
      method: 'POST',
      path: '/v1/messages/batches',
      operationId: 'createMessageBatch',
      summary: 'Create a batch of messages',
      action: 'batch.create-messages',
      headers: { 'anthropic-beta': 'Sent with each request of the batch.' },
      query: DryRunQuerySchema,
      body: { content: { 'application/json': CreateMessageBatchSchema }, fileFields: [] },
      responses: created,
      errors: BATCH_CREATION,
    },
    {
      ...shared,
      method: 'GET',
      path: '/v1/messages/batches',
      operationId: 'listMessageBatches',
      summary: 'List the batches of this key',
      action: 'batch.list',
      query: ListMessageBatchesSchema,
      responses: { 200: { description: 'A page of batches', content: { 'application/json': MessageBatchPageSchema } } },
      errors: ['invalid_request', 'store_unavailable'],
    },
    {
      ...shared,
      method: 'GET',
      path: '/v1/messages/batches/:batch_id',
      operationId: 'retrieveMessageBatch',
      summary: 'Retrieve a batch',
      action: 'batch.retrieve',
      responses: batch,
      errors: BATCH_ACCESS,
    },
    {
      ...shared,
      method: 'GET',
      path: '/v1/messages/batches/:batch_id/results',
      operationId: 'retrieveMessageBatchResults',
      summary: 'Stream the results of a batch that has ended, one in each line, in the order of the requests',
      action: 'batch.results',
      responses: { 200: { description: 'The results', content: { 'application/x-jsonl': MessageResultSchema } } },
      errors: BATCH_RESULTS,
    },
    {
      ...shared,
      method: 'POST',
      path: '/v1/messages/batches/:batch_id/cancel',
      operationId: 'cancelMessageBatch',
      summary: 'Cancel a batch; requests that have been sent end first',
      action: 'batch.cancel',
      responses: batch,
      errors: BATCH_ACTION,
    },
    {
      ...shared,
      method: 'DELETE',
      path: '/v1/messages/batches/:batch_id',
      operationId: 'deleteMessageBatch',
      summary: 'Delete a batch that has ended, with its results',
      action: 'batch.delete',
      responses: { 200: { description: 'Deleted', content: { 'application/json': DeletedMessageBatchSchema } } },
      errors: BATCH_ACTION,
    },
  ]);
}
