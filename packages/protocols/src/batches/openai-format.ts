import type { Batch, BatchUsage } from '@sluice/canonical';
import type { z } from 'zod';
import type {
  BatchesFormat,
  DecodedBatch,
  DecodedBatchChange,
  DecodedBatchListing,
  DecodedOptions,
} from '../contracts/batches-protocol.ts';
import { encodeOpenAiError } from '../errors/openai-error.ts';
import { withoutBlanks } from '../forms/form-fields.ts';
import { parseInput } from '../json/parse-input.ts';
import { createsTasks } from './line-endpoints.ts';
import {
  type BatchPageSchema,
  type BatchSchema,
  ChangeBatchSchema,
  CreateBatchSchema,
  type DeletedBatchSchema,
  EstimatedBatchSchema,
  ListBatchesSchema,
  type OPTION_FIELDS,
} from './schema.ts';

/** Batches in OpenAI's format (openai-node 7.55, `resources/batches`). */
export const openAiBatches: BatchesFormat = {
  decodeListing(query): DecodedBatchListing {
    const { after, limit } = parseInput(ListBatchesSchema, withoutBlanks(query));
    return { limit, ...(after !== undefined && { after }) };
  },
  encodeBatch,
  encodeBatches(batches, hasMore): z.output<typeof BatchPageSchema> {
    const [first_id = null, last_id = null] = [batches[0]?.id, batches.at(-1)?.id];
    return { object: 'list', data: batches.map(encodeBatch), first_id, last_id, has_more: hasMore };
  },
  encodeCancelled: encodeBatch,
  encodeDeleted: (id): z.output<typeof DeletedBatchSchema> => ({ id, object: 'batch', deleted: true }),
  encodeError: encodeOpenAiError,
};

/** @throws GatewayError `invalid_request` */
export function decodeBatch(fields: unknown): DecodedBatch {
  const body = parseInput(CreateBatchSchema, fields ?? {});
  const {
    input_file_id: inputFileId,
    endpoint,
    completion_window: windowMs,
    metadata,
    output_expires_after: expires,
  } = body;
  return {
    inputFileId,
    endpoint,
    windowMs,
    metadata: metadata ?? {},
    ...(expires && { outputLifetimeMs: expires.seconds * 1_000 }),
    ...decodeOptions(body),
  };
}

/** @throws GatewayError `invalid_request` */
export function decodeEstimatedBatch(fields: unknown): Pick<DecodedBatch, 'inputFileId' | 'endpoint' | 'maxCostUsd'> {
  const { input_file_id: inputFileId, endpoint, max_cost_usd } = parseInput(EstimatedBatchSchema, fields ?? {});
  return { inputFileId, endpoint, ...(max_cost_usd !== undefined && { maxCostUsd: max_cost_usd }) };
}

/** @throws GatewayError `invalid_request` */
export function decodeBatchChange(fields: unknown): DecodedBatchChange {
  const { paused, priority } = parseInput(ChangeBatchSchema, fields ?? {});
  return { ...(paused !== undefined && { paused }), ...(priority !== undefined && { priority }) };
}

type Options = { [K in keyof typeof OPTION_FIELDS]?: z.output<(typeof OPTION_FIELDS)[K]> };

export function decodeOptions({ priority, retry_unknown, max_cost_usd }: Options): DecodedOptions {
  return {
    ...(priority !== undefined && { priority }),
    ...(retry_unknown !== undefined && { retryUnknown: retry_unknown }),
    ...(max_cost_usd !== undefined && { maxCostUsd: max_cost_usd }),
  };
}

export function encodeBatch(batch: Batch): z.output<typeof BatchSchema> {
  const { counts } = batch;
  return {
    id: batch.id,
    object: 'batch',
    endpoint: batch.endpoint,
    model: batch.model ?? null,
    upstream: batch.upstream ?? null,
    errors: batch.errors.length === 0 ? null : { object: 'list', data: batch.errors.map(encodeInputError) },
    input_file_id: batch.inputFileId,
    completion_window: encodeWindow(batch.windowMs),
    status: batch.status,
    output_file_id: batch.outputFileId ?? null,
    error_file_id: batch.errorFileId ?? null,
    created_at: Math.floor(batch.createdAt / 1_000),
    in_progress_at: seconds(batch.inProgressAt),
    expires_at: Math.floor(batch.expiresAt / 1_000),
    finalizing_at: seconds(batch.finalizingAt),
    completed_at: seconds(batch.completedAt),
    failed_at: seconds(batch.failedAt),
    expired_at: seconds(batch.expiredAt),
    cancelling_at: seconds(batch.cancellingAt),
    cancelled_at: seconds(batch.cancelledAt),
    request_counts: {
      total: counts.total,
      completed: counts.completed,
      // All lines of the error file.
      failed: counts.failed + counts.expired + counts.cancelled,
    },
    ...(batch.usage && { usage: encodeUsage(batch.usage) }),
    metadata: Object.keys(batch.metadata).length === 0 ? null : batch.metadata,
    paused: batch.paused,
    priority: batch.priority,
    retry_unknown: batch.retryUnknown,
    max_cost_usd: batch.maxCostUsd ?? null,
    estimated_cost_usd: batch.estimatedCostUsd ?? null,
    cost_usd: createsTasks(batch.endpoint) ? null : batch.costNanos / NANOS_PER_USD,
    ...(batch.unpriced && { unpriced: true }),
  };
}

const NANOS_PER_USD = 1e9;

function encodeUsage({ inputTokens, cachedTokens, outputTokens, reasoningTokens }: BatchUsage) {
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cachedTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: inputTokens + outputTokens,
  };
}

function encodeInputError({ code, message, line, param }: Batch['errors'][number]) {
  return { code, message, line: line ?? null, param: param ?? null };
}

const HOUR_MS = 3_600_000;

function encodeWindow(ms: number): string {
  return ms % HOUR_MS === 0 ? `${ms / HOUR_MS}h` : `${Math.round(ms / 60_000)}m`;
}

function seconds(ms: number | undefined): number | null {
  return ms === undefined ? null : Math.floor(ms / 1_000);
}
