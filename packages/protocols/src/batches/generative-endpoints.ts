import { z } from 'zod';
import type { BatchesFormat, BatchesProtocol } from '../contracts/batches-protocol.ts';
import { type BatchEndpoint, type Credential, defineEndpoints } from '../contracts/endpoint.ts';
import type { TextProtocol } from '../contracts/text-protocol.ts';
import { DryRunQuerySchema } from '../media/cost-controls.ts';
import { BATCH_ACCESS, BATCH_ACTION, BATCH_CREATION, BATCH_RESULTS } from './batch-errors.ts';
import { createdBatch } from './estimate.ts';
import {
  CreateGenerativeBatchSchema,
  GenerativeBatchPageSchema,
  GenerativeBatchSchema,
  ListGenerativeBatchesSchema,
} from './generative-schema.ts';

const credentials: readonly Credential[] = ['x-gen-api-key', 'key-query'];
const batch = { 200: { description: 'The batch', content: { 'application/json': GenerativeBatchSchema } } };
const done = { 200: { description: 'Done', content: { 'application/json': z.object({}) } } };
const created = createdBatch(GenerativeBatchSchema);
/** Google's batches (@google/genai 3.1, `batches`). */
export function generativeBatchesEndpoints({ name, encodeError, errorSchema }: TextProtocol, format: BatchesFormat) {
  const protocol: BatchesProtocol = { name, encodeError, errorSchema, formatOf: () => format };
  const shared = { credentials, protocol };
  /** @param suffix of the operation ids @param version of the path; the other paths of `v1` are shared with OpenAI's */
  const versioned = (version: string, suffix: string): readonly BatchEndpoint[] =>
    defineEndpoints([
      {
        ...shared,
        method: 'POST',
        path: `/${version}/models/*model`,
        verb: 'batchGenerateContent',
        operationId: `batchGenerateContent${suffix}`,
        summary: 'Create a batch of requests that generate content',
        action: 'batch.create-generative',
        query: DryRunQuerySchema,
        body: { content: { 'application/json': CreateGenerativeBatchSchema }, fileFields: [] },
        responses: created,
        errors: BATCH_CREATION,
      },
      {
        ...shared,
        method: 'GET',
        path: `/${version}/files/batch-:batch_id`,
        operationId: `downloadGenerativeBatchResults${suffix}`,
        summary: 'Download the results of a batch; the id ends in `:download`',
        action: 'batch.results',
        responses: { 200: { description: 'The results', content: { 'application/jsonl': z.unknown() } } },
        errors: BATCH_RESULTS,
      },
    ]);
  return defineEndpoints([
    ...versioned('v1beta', ''),
    ...versioned('v1', 'V1'),
    {
      ...shared,
      method: 'GET',
      path: '/v1beta/batches',
      operationId: 'listGenerativeBatches',
      summary: 'List the batches of this key',
      action: 'batch.list',
      query: ListGenerativeBatchesSchema,
      responses: {
        200: { description: 'A page of batches', content: { 'application/json': GenerativeBatchPageSchema } },
      },
      errors: ['invalid_request', 'store_unavailable'],
    },
    {
      ...shared,
      method: 'GET',
      path: '/v1beta/batches/:batch_id',
      operationId: 'retrieveGenerativeBatch',
      summary: 'Retrieve a batch',
      action: 'batch.retrieve',
      responses: batch,
      errors: BATCH_ACCESS,
    },
    {
      ...shared,
      method: 'POST',
      path: '/v1beta/batches/:batch_id',
      operationId: 'cancelGenerativeBatch',
      summary: 'Cancel a batch; the id ends in `:cancel`',
      action: 'batch.change',
      responses: done,
      errors: ['invalid_request', ...BATCH_ACTION],
    },
    {
      ...shared,
      method: 'DELETE',
      path: '/v1beta/batches/:batch_id',
      operationId: 'deleteGenerativeBatch',
      summary: 'Delete a batch that has ended, with its results',
      action: 'batch.delete',
      responses: done,
      errors: BATCH_ACTION,
    },
  ]);
}
