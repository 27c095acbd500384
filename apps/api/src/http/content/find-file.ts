import { type FileObject, GatewayError } from '@sluice/canonical';
import type { FileStore } from '@sluice/files';

/**
 * Finds a file that a request refers to.
 * @param param the field that contains the reference
 * @throws GatewayError `file_not_found` with the field's name, also for files of other keys
 */
export async function findFile(
  files: Pick<FileStore, 'find'>,
  owner: string,
  { id, param }: { id: string; param: string },
): Promise<FileObject> {
  try {
    return await files.find(owner, id);
  } catch (error) {
    if (!(error instanceof GatewayError) || error.code !== 'file_not_found') throw error;
    throw new GatewayError(error.code, error.message, { param });
  }
}
