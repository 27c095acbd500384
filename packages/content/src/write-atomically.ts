import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { access, mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

export interface RootFolder {
  root: string;
  /** Whether a missing root is an error. Otherwise it is created. */
  mustExist: boolean;
}

/** Writes a file below the root under a temporary name, syncs it to the disk, and renames it. */
export async function writeAtomically(
  folders: RootFolder,
  file: string,
  source: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): Promise<void> {
  const partial = path.join(folders.root, 'tmp', randomUUID());
  await makeFolder(folders, path.dirname(partial));
  const folder = path.dirname(file);
  const createdFolder = await makeFolder(folders, folder);
  const target = createWriteStream(partial, { flush: true, mode: 0o600 });
  const closed = new Promise<void>((resolve) => void target.once('close', resolve));
  try {
    await pipeline(source, target, { signal });
    await rename(partial, file);
    await syncFolder(folder);
    if (createdFolder !== undefined) await syncFolder(path.dirname(createdFolder));
  } catch (error) {
    // `pipeline` may reject before the file is open. Without `destroy`, the file would be created after it was removed.
    target.destroy();
    await closed;
    await rm(partial, { force: true });
    throw error;
  }
}

/** @returns the first folder that was created */
async function makeFolder(folders: RootFolder, folder: string): Promise<string | undefined> {
  const { root, mustExist } = folders;
  if (!mustExist) return mkdir(folder, { recursive: true, mode: 0o700 });
  if (folder === root) {
    await access(root);
    return undefined;
  }
  const parent = await makeFolder(folders, path.dirname(folder));
  try {
    await mkdir(folder, { mode: 0o700 });
    return parent ?? folder;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return parent;
    throw error;
  }
}

/** Error codes of platforms that cannot sync a folder. */
const UNSUPPORTED_SYNC = new Set(['EINVAL', 'EISDIR', 'ENOTSUP', 'EPERM']);

/** Makes a rename durable. Without it, a crash of the machine could undo the rename of a synced file. */
async function syncFolder(folder: string): Promise<void> {
  try {
    await using descriptor = await open(folder, 'r');
    await descriptor.sync();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && UNSUPPORTED_SYNC.has(String(error.code)))) throw error;
  }
}
