import type { Blob } from '../../batches/blob-store.ts';
import type { VendorBatch } from '../../batches/vendor-batch.ts';

export interface MessageBatchDetails {
  /** The URL of the batch, as the client knows it. */
  url: string;
  size: number;
  results?: Blob;
}

export type MessageBatch = VendorBatch<MessageBatchDetails>;

const WINDOW_MS = 86_400_000;

function time(milliseconds: number | undefined): string | null {
  return milliseconds === undefined ? null : new Date(milliseconds).toISOString();
}

/** Requests count as processing until the batch has ended (@anthropic-ai/sdk 1.11.0, `MessageBatch`). */
function requestCounts({ status, endedAt, counts, details }: MessageBatch) {
  const none = { processing: details.size, succeeded: 0, errored: 0, canceled: 0, expired: 0 };
  if (endedAt === undefined) return none;
  const { succeeded, failed: errored, unserved } = counts;
  const [canceled, expired] = status === 'expired' ? [0, unserved] : [unserved, 0];
  return { processing: 0, succeeded, errored, canceled, expired };
}

export function messageBatchObject(batch: MessageBatch) {
  const { id, status, details, createdAt, endedAt } = batch;
  const isEnded = endedAt !== undefined;
  return {
    id,
    type: 'message_batch',
    processing_status: isEnded ? 'ended' : status === 'canceling' ? 'canceling' : 'in_progress',
    request_counts: requestCounts(batch),
    created_at: time(createdAt),
    expires_at: time(createdAt + WINDOW_MS),
    cancel_initiated_at: time(batch.cancelingAt),
    ended_at: time(endedAt),
    archived_at: null,
    results_url: isEnded ? `${details.url}/results` : null,
  };
}
