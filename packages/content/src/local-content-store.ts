import { createReadStream } from 'node:fs';
import { access, type FileHandle, open, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import {
  type ByteRange,
  ContentMissingError,
  type ContentStore,
  ContentUnavailableError,
  type WrittenBlob,
} from './content-store.ts';
import { measureSource } from './measured-source.ts';
import { writeAtomically } from './write-atomically.ts';

/**
 * Stores content in a local folder, or in a volume that the API and the workers share. A blob is written and synced
 * under a temporary name and then renamed. If the process is killed, no partial blob remains. If the machine crashes,
 * no complete blob is lost.
 * @param mustExist whether a missing folder is an error (e.g. because it is misspelled or unmounted); otherwise it is
 * created
 */
export function createLocalContentStore(dir: string, { mustExist = false } = {}): ContentStore {
  const root = path.resolve(dir);

  function locate(key: string): string {
    const file = path.resolve(root, key);
    // Sluice generates the keys. This check prevents a bug from accessing files outside the folder.
    if (!file.startsWith(root + path.sep)) throw new ContentMissingError(key);
    return file;
  }

  function readError(key: string): (error: NodeJS.ErrnoException) => Promise<never> {
    return async (error) => {
      if (error.code !== 'ENOENT') throw new ContentUnavailableError(error);
      if (mustExist && !(await exists(root))) throw new ContentUnavailableError(error);
      throw new ContentMissingError(key);
    };
  }

  /** Opened before a response starts, so that a missing blob causes a 404 instead of a truncated body. */
  async function openFile(key: string): Promise<FileHandle> {
    return open(locate(key), 'r').catch(readError(key));
  }

  return {
    async write(key, source, maxBytes, signal): Promise<WrittenBlob> {
      const file = locate(key);
      const measured = measureSource(maxBytes);
      try {
        await writeAtomically({ root, mustExist }, file, measured.chunks(source), signal);
      } catch (error) {
        if (signal?.aborted === true || error === measured.failure()) throw error;
        unavailable(error);
      }
      return measured.written();
    },

    async open(key, range?: ByteRange): Promise<Readable> {
      return createReadStream(locate(key), { fd: await openFile(key), highWaterMark: 256 * 1024, ...range });
    },

    openFile,

    async check(key): Promise<void> {
      await stat(locate(key)).catch(readError(key));
    },

    async remove(key): Promise<void> {
      await rm(locate(key), { force: true }).catch(unavailable);
    },

    async clearOlder(folder, ageMs): Promise<void> {
      // The folder does not exist yet, so it has no entries.
      const entries = await readdir(locate(folder), { recursive: true, withFileTypes: true }).catch(() => []);
      for (const entry of entries.filter((one) => one.isFile())) {
        const file = path.join(entry.parentPath, entry.name);
        // Another process has removed the file.
        const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Infinity }));
        if (mtimeMs < Date.now() - ageMs) await rm(file, { force: true });
      }
    },
  };
}

function unavailable(error: unknown): never {
  throw new ContentUnavailableError(error);
}

function exists(folder: string): Promise<boolean> {
  return access(folder).then(
    () => true,
    () => false,
  );
}
