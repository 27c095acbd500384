import { type Batch, type BatchStatus, fileIdOfUri, isFinalBatch } from '@sluice/canonical';
import type { z } from 'zod';
import type { BatchesFormat, DecodedBatchListing, DecodedOptions } from '../contracts/batches-protocol.ts';
import { parseInput } from '../json/parse-input.ts';
import { invalidField } from '../json/json-field.ts';
import {
  GenerativeBatchOptionsSchema,
  type GenerativeBatchPageSchema,
  type GenerativeBatchSchema,
  ListGenerativeBatchesSchema,
} from './generative-schema.ts';
import { modelOfEndpoint, textProtocolOf } from './line-endpoints.ts';
import { RPC_CODES } from './rpc-codes.ts';

const ID_PREFIX = 'batch_';
const FILE_PREFIX = 'file-';
const TYPE = 'type.googleapis.com/google.ai.generativelanguage.v1beta.GenerateContentBatch';

/** Batches in Google's format (@google/genai 3.1, `batches`). A name is `batches/` and the id without its prefix. */
export const generativeBatches: Omit<BatchesFormat, 'encodeError' | 'results'> = {
  decodeId: (name) => (name.startsWith(ID_PREFIX) ? name : ID_PREFIX + name),
  cancelSuffix: ':cancel',
  decodeListing(query): DecodedBatchListing {
    const { pageSize: limit, pageToken } = parseInput(ListGenerativeBatchesSchema, query ?? {});
    return { limit, ...(pageToken && { after: ID_PREFIX + pageToken }) };
  },
  encodeBatch: (batch, _origin, results) => encodeBatch(batch, outputOf(batch, results)),
  encodeBatches(batches, hasMore): z.output<typeof GenerativeBatchPageSchema> {
    const last = batches.at(-1);
    const operations = batches.map((batch) => encodeBatch(batch, outputOf(batch)));
    return { operations, ...(hasMore && last && { nextPageToken: digitsOf(last) }) };
  },
  encodeCancelled: () => ({}),
  encodeDeleted: () => ({}),
};

export interface GenerativeOptions extends DecodedOptions {
  /** The file with the requests. If omitted, they are in the body. */
  inputFileId?: string;
}

/** @param rest the body without its requests @throws GatewayError `invalid_request` */
export function decodeGenerativeBatchOptions(rest: unknown): GenerativeOptions {
  const { batch } = parseInput(GenerativeBatchOptionsSchema, rest);
  const { priority, displayName = batch.display_name, inputConfig: input = batch.input_config } = batch;
  const fileName = input?.fileName ?? input?.file_name;
  const param = 'batch[inputConfig]';
  if (fileName === undefined && !input?.requests) throw invalidField(param, 'must contain fileName or requests');
  if (fileName !== undefined && input?.requests)
    throw invalidField(param, 'must not contain both fileName and requests');
  return {
    ...(priority !== undefined && { priority }),
    ...(displayName !== undefined && { displayName }),
    ...(fileName !== undefined && { inputFileId: fileIdOfName(fileName) }),
  };
}

function fileIdOfName(name: string): string {
  return fileIdOfUri(name) ?? name.replace(/^files\//, '');
}

const STATES = {
  validating: 'BATCH_STATE_PENDING',
  in_progress: 'BATCH_STATE_RUNNING',
  finalizing: 'BATCH_STATE_RUNNING',
  cancelling: 'BATCH_STATE_RUNNING',
  completed: 'BATCH_STATE_SUCCEEDED',
  failed: 'BATCH_STATE_FAILED',
  expired: 'BATCH_STATE_EXPIRED',
  cancelled: 'BATCH_STATE_CANCELLED',
} as const satisfies Record<BatchStatus, string>;

type Output = NonNullable<z.output<typeof GenerativeBatchSchema>['metadata']['output']>;

function encodeBatch(batch: Batch, output: Output | undefined): z.output<typeof GenerativeBatchSchema> {
  const name = `batches/${digitsOf(batch)}`;
  const { total, completed } = batch.counts;
  const failed = batch.counts.failed + batch.counts.expired + batch.counts.cancelled;
  const model = batch.model ?? modelOfEndpoint(batch.endpoint);
  const endedAt = batch.completedAt ?? batch.failedAt ?? batch.expiredAt ?? batch.cancelledAt;
  const error = errorOf(batch);
  return {
    name,
    metadata: {
      '@type': TYPE,
      name,
      ...(model !== undefined && { model: `models/${model}` }),
      ...(batch.displayName !== undefined && { displayName: batch.displayName }),
      state: STATES[batch.status],
      createTime: new Date(batch.createdAt).toISOString(),
      updateTime: new Date(latest(batch)).toISOString(),
      ...(endedAt !== undefined && { endTime: new Date(endedAt).toISOString() }),
      priority: String(batch.priority),
      batchStats: {
        requestCount: String(total),
        successfulRequestCount: String(completed),
        failedRequestCount: String(failed),
        pendingRequestCount: String(Math.max(0, total - completed - failed)),
      },
      ...(output && { output }),
    },
    done: isFinalBatch(batch),
    ...(error && { error }),
    ...(!error && output && { response: { '@type': `${TYPE}Output`, ...output } }),
  };
}

/**
 * A file has the results: translated to Google's format, or as they are if they are no text.
 * @param results the results, if they are in the batch itself
 */
function outputOf(batch: Batch, results?: readonly unknown[]): Output | undefined {
  if (results) return { inlinedResponses: { inlinedResponses: [...results] } };
  if (batch.outputFileId === undefined && batch.errorFileId === undefined) return undefined;
  if (textProtocolOf(batch.endpoint) !== undefined) return { responsesFile: `files/batch-${digitsOf(batch)}` };
  const fileId = batch.outputFileId ?? batch.errorFileId ?? '';
  return { responsesFile: `files/${fileId.slice(FILE_PREFIX.length)}` };
}

function errorOf({ status, errors }: Batch): { code: number; message: string } | undefined {
  if (status === 'failed') {
    return { code: RPC_CODES.INVALID_ARGUMENT, message: errors[0]?.message ?? 'The batch failed.' };
  }
  if (status === 'cancelled') return { code: RPC_CODES.CANCELLED, message: 'The batch was cancelled.' };
  if (status !== 'expired') return undefined;
  return { code: RPC_CODES.DEADLINE_EXCEEDED, message: 'The batch expired before all requests ended.' };
}

function latest({ createdAt, inProgressAt = 0, finalizingAt = 0, cancellingAt = 0, ...batch }: Batch): number {
  const { completedAt = 0, failedAt = 0, expiredAt = 0, cancelledAt = 0 } = batch;
  return Math.max(createdAt, inProgressAt, finalizingAt, cancellingAt, completedAt, failedAt, expiredAt, cancelledAt);
}

function digitsOf({ id }: Batch): string {
  return id.slice(ID_PREFIX.length);
}
