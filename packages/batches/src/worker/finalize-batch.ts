import type { StoredBatch } from '../store/batch-record.ts';
import type { ClaimedJob, Lease } from './leases.ts';
import type { WorkerContext } from './worker-context.ts';
import { isUploadGone } from './write-parts.ts';

/** Makes the output and error files of a batch whose segments have ended, and ends the batch. Can be repeated. */
export async function finalizeBatch(context: WorkerContext, { lease, batch }: ClaimedJob): Promise<void> {
  const { redis, keys, settings, leases, now, logger } = context;
  const { id, owner, counts } = batch;
  const failed = counts.failed + counts.expired + counts.cancelled;
  try {
    const output = await complete(context, owner, batch.outputUpload, counts.completed);
    const errors = await complete(context, owner, batch.errorUpload, failed);
    const status = await redis.batchesComplete(
      ...([keys.root, id, lease.token, now(), settings.retentionMs, output, errors] as const),
    );
    for (const content of batch.vendor?.results ?? []) await context.files.discard(content);
    if (status !== '') logger.info({ batch: id, client: owner, status, ...counts }, 'batch ended');
  } catch (error) {
    if (!isUploadGone(error)) throw error;
    await fail(context, lease, batch);
  }
  leases.forget(lease);
}

/** @returns the id of the file; empty if no line belongs to it */
async function complete({ files }: WorkerContext, owner: string, upload: string, lines: number): Promise<string> {
  if (lines > 0) return (await files.completeUpload(owner, upload)).id;
  // It may have expired, which has the same effect.
  await files.cancelUpload(owner, upload).catch((error: unknown) => {
    if (!isUploadGone(error)) throw error;
  });
  return '';
}

async function fail({ redis, keys, settings, now, logger }: WorkerContext, lease: Lease, { id, owner }: StoredBatch) {
  const message = 'The results could not be stored in time, because the storage was unavailable or full.';
  const errors = JSON.stringify([{ code: 'output_lost', message }]);
  await redis.batchesFail(keys.root, id, lease.job, lease.token, now(), settings.retentionMs, errors);
  logger.error({ batch: id, client: owner }, 'batch failed: its results could not be stored');
}
