import { z } from 'zod';
import type { BatchesFormat, BatchesProtocol } from '../contracts/batches-protocol.ts';
import { type BatchEndpoint, type Credential, defineEndpoints } from '../contracts/endpoint.ts';
import type { TextProtocol } from '../contracts/text-protocol.ts';
import { encodeOpenAiError, OpenAiErrorSchema } from '../errors/openai-error.ts';
import { DryRunQuerySchema } from '../media/cost-controls.ts';
import { BATCH_ACCESS, BATCH_ACTION, BATCH_CREATION } from './batch-errors.ts';
import { generativeResultEncoder, messageResultEncoder } from './encode-results.ts';
import { createdBatch } from './estimate.ts';
import { generativeBatchesEndpoints } from './generative-endpoints.ts';
import { generativeBatches } from './generative-format.ts';
import { GenerativeBatchPageSchema, GenerativeBatchSchema } from './generative-schema.ts';
import { messageBatchesEndpoints } from './messages-endpoints.ts';
import { messagesBatches } from './messages-format.ts';
import { openAiBatches } from './openai-format.ts';
import {
  BatchPageSchema,
  BatchSchema,
  ChangeBatchSchema,
  CreateBatchSchema,
  DeletedBatchSchema,
  ListBatchesSchema,
} from './schema.ts';

/** The protocols to which results are translated. */
export interface BatchesProtocols {
  chatCompletions: TextProtocol;
  responses: TextProtocol;
  messages: TextProtocol;
  generativeContent: TextProtocol;
}

const batch = { 200: { description: 'The batch', content: { 'application/json': BatchSchema } } };
const AnyBatchSchema = z.union([BatchSchema, GenerativeBatchSchema]);
const anyBatch = { 200: { description: 'The batch', content: { 'application/json': AnyBatchSchema } } };

/** Endpoints whose format depends on the request: OpenAI's, or Google's for its newer clients. */
function sharedEndpoints(protocol: BatchesProtocol, generative: TextProtocol): readonly BatchEndpoint[] {
  const credentials: readonly Credential[] = ['bearer', 'x-gen-api-key', 'key-query'];
  const shared = {
    credentials,
    protocol,
    errorSchema: z.union([OpenAiErrorSchema, generative.errorSchema]),
    headers: { 'x-goog-api-key': "Selects Google's format; `x-gen-api-key` and `?key=` do the same." },
  };
  return defineEndpoints([
    {
      ...shared,
      method: 'GET',
      path: '/v1/batches',
      operationId: 'listBatches',
      summary: 'List the batches of this key',
      action: 'batch.list',
      query: ListBatchesSchema,
      responses: {
        200: {
          description: 'A page of batches',
          content: { 'application/json': z.union([BatchPageSchema, GenerativeBatchPageSchema]) },
        },
      },
      errors: ['invalid_request', 'store_unavailable'],
    },
    {
      ...shared,
      method: 'GET',
      path: '/v1/batches/:batch_id',
      operationId: 'retrieveBatch',
      summary: 'Retrieve a batch',
      action: 'batch.retrieve',
      responses: anyBatch,
      errors: BATCH_ACCESS,
    },
    {
      ...shared,
      method: 'POST',
      path: '/v1/batches/:batch_id',
      operationId: 'changeBatch',
      summary: 'Pause or resume a batch, or change its priority',
      action: 'batch.change',
      body: { content: { 'application/json': ChangeBatchSchema }, fileFields: [], isText: true },
      responses: anyBatch,
      errors: ['invalid_request', ...BATCH_ACTION],
    },
    {
      ...shared,
      method: 'DELETE',
      path: '/v1/batches/:batch_id',
      operationId: 'deleteBatch',
      summary: 'Delete a batch that has ended, with its results',
      action: 'batch.delete',
      responses: {
        200: { description: 'Deleted', content: { 'application/json': z.union([DeletedBatchSchema, z.object({})]) } },
      },
      errors: BATCH_ACTION,
    },
  ]);
}

/** Endpoints of batches, in the formats of OpenAI, Anthropic, and Google. */
export function batchesEndpoints({ chatCompletions, responses, messages, generativeContent }: BatchesProtocols) {
  const all = { 'chat-completions': chatCompletions, responses, messages, 'generative-content': generativeContent };
  const messageFormat: BatchesFormat = {
    ...messagesBatches,
    results: { mediaType: 'application/x-jsonl', encode: messageResultEncoder(all) },
    encodeError: messages.encodeError,
  };
  const generativeFormat: BatchesFormat = {
    ...generativeBatches,
    results: {
      mediaType: 'application/jsonl',
      suffix: ':download',
      encode: generativeResultEncoder(all),
      isInlined: ({ inlineResults }) => inlineResults === true,
    },
    encodeError: generativeContent.encodeError,
  };
  const openAiErrors = { name: 'batches', encodeError: encodeOpenAiError, errorSchema: OpenAiErrorSchema };
  const openAi: BatchesProtocol = { ...openAiErrors, formatOf: () => openAiBatches };
  const shared: BatchesProtocol = {
    ...openAiErrors,
    formatOf: (headers, query) => (isGenerative(headers, query) ? generativeFormat : openAiBatches),
  };
  const credentials = ['bearer'] as const;
  return defineEndpoints([
    {
      credentials,
      protocol: openAi,
      method: 'POST',
      path: '/v1/batches',
      operationId: 'createBatch',
      summary: 'Create a batch of the requests in a file',
      action: 'batch.create',
      query: DryRunQuerySchema,
      body: { content: { 'application/json': CreateBatchSchema }, fileFields: [], isText: true },
      responses: createdBatch(BatchSchema),
      errors: BATCH_CREATION,
    },
    {
      credentials,
      protocol: openAi,
      method: 'POST',
      path: '/v1/batches/:batch_id/cancel',
      operationId: 'cancelBatch',
      summary: 'Cancel a batch; requests that have been sent end first',
      action: 'batch.cancel',
      responses: batch,
      errors: BATCH_ACTION,
    },
    ...sharedEndpoints(shared, generativeContent),
    ...messageBatchesEndpoints(messages, messageFormat),
    ...generativeBatchesEndpoints(generativeContent, generativeFormat),
  ]);
}

/** Clients of Google send their key in their own way (@google/genai 3.1). */
function isGenerative(headers: Readonly<Record<string, unknown>>, query: Readonly<Record<string, unknown>>): boolean {
  return (headers['x-gen-api-key'] ?? headers['x-goog-api-key'] ?? query['key']) !== undefined;
}
