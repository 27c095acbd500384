import type { StoredBatch } from '../store/batch-record.ts';
import type { Lease } from '../worker/leases.ts';
import type { WorkerContext } from '../worker/worker-context.ts';
import { isUploadGone } from '../worker/write-parts.ts';

/** Fails a batch whose submission was lost. @param reason why it was not found, as part of a sentence */
export async function failSubmission(
  { redis, keys, files, settings, now, logger }: WorkerContext,
  { lease, batch }: { lease: Lease; batch: StoredBatch },
  reason: string,
): Promise<void> {
  const { id, owner, outputUpload, errorUpload } = batch;
  const message = `The batch was submitted to the vendor, but its response was lost, and ${reason}. It was not submitted again, because it may have been paid for.`;
  const errors = JSON.stringify([{ code: 'submission_unknown', message }]);
  const args = [id, 'vendor', lease.token, now(), settings.retentionMs, errors];
  // Another worker has the batch, and needs its uploads.
  if ((await redis.batchesFail(keys.root, ...args)) === 0) return;
  logger.error({ batch: id, client: owner }, 'batch failed: its submission to the vendor is unknown');
  for (const upload of [outputUpload, errorUpload]) {
    await files.cancelUpload(owner, upload).catch((error: unknown) => {
      if (!isUploadGone(error)) throw error;
    });
  }
}
