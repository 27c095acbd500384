import { GatewayError } from '@sluice/canonical';
import type { BatchesDeps } from './batches-deps.ts';

/**
 * Deletes a batch that has ended, its results, and the input file if the gateway wrote it. If the process ends in
 * between, the files expire.
 */
export async function removeBatch(
  { batches, files }: Pick<BatchesDeps, 'batches' | 'files'>,
  owner: string,
  id: string,
): Promise<void> {
  const { outputFileId, errorFileId, ownsInput, inputFileId } = await batches.find(owner, id);
  await batches.remove(owner, id);
  for (const fileId of [outputFileId, errorFileId, ownsInput ? inputFileId : undefined]) {
    if (fileId === undefined) continue;
    await files.remove(owner, fileId).catch((error: unknown) => {
      // The client has deleted the file itself, or it has expired.
      if (!(error instanceof GatewayError && error.code === 'file_not_found')) throw error;
    });
  }
}
