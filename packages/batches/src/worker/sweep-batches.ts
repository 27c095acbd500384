import { GatewayError } from '@sluice/canonical';
import { parseBatch } from '../store/batch-record.ts';
import type { WorkerContext } from './worker-context.ts';

const SWEPT = 100;

/** Deletes the records of batches that ended long ago, with the input files that the gateway wrote for them. */
export async function sweepBatches({ redis, keys, files, now }: WorkerContext): Promise<void> {
  for (;;) {
    const due = await redis.zrange(keys.expiring, '-inf', String(now()), 'BYSCORE', 'LIMIT', 0, SWEPT);
    for (const id of due) {
      const fields = await redis.hgetall(keys.batch(id));
      if (fields['id'] === undefined) {
        await redis.zrem(keys.expiring, id);
        continue;
      }
      const { owner, ownsInput, inputFileId } = parseBatch(fields);
      if (ownsInput) await files.remove(owner, inputFileId).catch(ignoreMissing);
      await redis.batchesRemove(keys.root, id, owner);
    }
    if (due.length < SWEPT) return;
  }
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof GatewayError) || error.code !== 'file_not_found') throw error;
}
