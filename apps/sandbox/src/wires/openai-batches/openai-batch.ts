import type { VendorBatch } from '../../batches/vendor-batch.ts';
import { unixSeconds } from '../../jobs/media-job.ts';
import type { InputError } from './batch-input.ts';
import type { UsageSum } from './batch-usage.ts';

export interface OpenAiBatchDetails {
  endpoint: string;
  inputFileId: string;
  metadata: Record<string, string> | null;
  outputSeconds: number | undefined;
  errors: InputError[];
  model?: string | undefined;
  outputFileId?: string;
  errorFileId?: string;
  usage: UsageSum;
}

export type OpenAiBatch = VendorBatch<OpenAiBatchDetails>;

const WINDOW_MS = 86_400_000;
const STATUS = {
  validating: 'validating',
  running: 'in_progress',
  canceling: 'cancelling',
  completed: 'completed',
  failed: 'failed',
  expired: 'expired',
  canceled: 'cancelled',
} as const;

function time(milliseconds: number | undefined): number | null {
  return milliseconds === undefined ? null : unixSeconds(milliseconds);
}

/** Formats a batch (openai 7.55.0, `Batch`). */
export function batchObject(batch: OpenAiBatch) {
  const { id, status, details, counts, createdAt, endedAt } = batch;
  const { errors } = details;
  const endedAs = (name: OpenAiBatch['status']) => (status === name ? time(endedAt) : null);
  return {
    id,
    object: 'batch',
    endpoint: details.endpoint,
    model: details.model,
    errors: errors.length === 0 ? null : { object: 'list', data: errors },
    input_file_id: details.inputFileId,
    completion_window: '24h',
    status: STATUS[status],
    output_file_id: details.outputFileId ?? null,
    error_file_id: details.errorFileId ?? null,
    created_at: unixSeconds(createdAt),
    in_progress_at: time(batch.startedAt),
    expires_at: time(createdAt + WINDOW_MS),
    finalizing_at: status === 'completed' ? time(endedAt) : null,
    completed_at: endedAs('completed'),
    failed_at: endedAs('failed'),
    expired_at: endedAs('expired'),
    cancelling_at: time(batch.cancelingAt),
    cancelled_at: endedAs('canceled'),
    request_counts: { total: counts.total, completed: counts.succeeded, failed: counts.failed },
    usage: details.usage.format(),
    metadata: details.metadata,
  };
}
