import { type Batch, isFinalBatch } from '@sluice/canonical';
import type { z } from 'zod';
import type { BatchesFormat, DecodedBatchListing, DecodedOptions } from '../contracts/batches-protocol.ts';
import { withoutBlanks } from '../forms/form-fields.ts';
import { parseInput } from '../json/parse-input.ts';
import {
  type DeletedMessageBatchSchema,
  ListMessageBatchesSchema,
  MessageBatchOptionsSchema,
  type MessageBatchPageSchema,
  type MessageBatchSchema,
} from './messages-schema.ts';
import { decodeOptions } from './openai-format.ts';

/** Batches in Anthropic's format (@anthropic-ai/sdk 1.11, `resources/messages/batches`). */
export const messagesBatches: Omit<BatchesFormat, 'encodeError' | 'results'> = {
  decodeListing(query): DecodedBatchListing {
    const { limit, after_id, before_id } = parseInput(ListMessageBatchesSchema, withoutBlanks(query));
    if (after_id !== undefined) return { limit, after: after_id };
    return { limit, ...(before_id !== undefined && { before: before_id }) };
  },
  encodeBatch,
  encodeBatches(batches, hasMore, origin): z.output<typeof MessageBatchPageSchema> {
    const [first_id = null, last_id = null] = [batches[0]?.id, batches.at(-1)?.id];
    return { data: batches.map((batch) => encodeBatch(batch, origin)), has_more: hasMore, first_id, last_id };
  },
  encodeCancelled: encodeBatch,
  encodeDeleted: (id): z.output<typeof DeletedMessageBatchSchema> => ({ id, type: 'message_batch_deleted' }),
};

/** @throws GatewayError `invalid_request` */
export function decodeMessageBatchOptions(rest: unknown): DecodedOptions {
  return decodeOptions(parseInput(MessageBatchOptionsSchema, rest));
}

function encodeBatch(batch: Batch, origin: string): z.output<typeof MessageBatchSchema> {
  const { id, status } = batch;
  return {
    id,
    type: 'message_batch',
    processing_status: isFinalBatch(batch) ? 'ended' : status === 'cancelling' ? 'canceling' : 'in_progress',
    request_counts: encodeCounts(batch),
    ended_at: time(endOf(batch)),
    created_at: new Date(batch.createdAt).toISOString(),
    expires_at: new Date(batch.expiresAt).toISOString(),
    archived_at: null,
    cancel_initiated_at: time(batch.cancellingAt),
    results_url: isFinalBatch(batch) ? `${origin}/v1/messages/batches/${id}/results` : null,
  };
}

/** All requests count as processing until the batch has ended, as Anthropic counts them. */
function encodeCounts(batch: Batch): z.output<typeof MessageBatchSchema>['request_counts'] {
  const { total, completed, failed, expired, cancelled } = batch.counts;
  if (!isFinalBatch(batch)) return { processing: total, succeeded: 0, errored: 0, canceled: 0, expired: 0 };
  const errored = batch.status === 'failed' ? Math.max(total, batch.refusedLines ?? 0) : failed;
  return { processing: 0, succeeded: completed, errored, canceled: cancelled, expired };
}

function endOf({ completedAt, failedAt, expiredAt, cancelledAt }: Batch): number | undefined {
  return completedAt ?? failedAt ?? expiredAt ?? cancelledAt;
}

function time(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}
