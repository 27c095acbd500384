import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** The data folder cannot be used. The message names the variable that selects another folder. */
export class DataFolderError extends Error {
  override name = 'DataFolderError';

  constructor(dataDir: string, cause: unknown) {
    const reason = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
    super(`Cannot write to the data folder ${dataDir}${reason}. Set \`SLUICE_DATA_DIR\` to a writable folder.`, {
      cause,
    });
  }
}

/**
 * Creates the data folder, which only its owner can access, and checks that it is writable.
 * @throws {DataFolderError} if it is not writable
 */
export async function prepareDataFolder(dataDir: string): Promise<void> {
  const probe = path.join(dataDir, `write-check-${randomUUID()}`);
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await writeFile(probe, '', { mode: 0o600 });
    await rm(probe);
  } catch (error) {
    throw new DataFolderError(dataDir, error);
  }
}
