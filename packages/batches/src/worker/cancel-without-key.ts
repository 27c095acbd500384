import type { StoredBatch } from '../store/batch-record.ts';
import type { WorkerContext } from './worker-context.ts';

/** Cancels a batch whose owner's key does not exist any more, because no request of it can be served. */
export async function cancelWithoutKey(
  { redis, keys, settings, now, logger }: Pick<WorkerContext, 'redis' | 'keys' | 'settings' | 'now' | 'logger'>,
  { id, owner }: Pick<StoredBatch, 'id' | 'owner'>,
): Promise<void> {
  const message = 'The API key of the batch no longer exists, so the batch was canceled.';
  const errors = JSON.stringify([{ code: 'invalid_api_key', message }]);
  await redis.batchesCancel(keys.root, id, owner, now(), settings.retentionMs, errors);
  logger.info({ batch: id, client: owner }, 'batch cancelled: its key no longer exists');
}
