import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ByteRange, ContentMissingError, type ContentStore, type WrittenBlob } from './content-store.ts';
import { measureSource } from './measured-source.ts';

/**
 * A content store in a local folder (or a volume that API and workers share).
 * A blob is written under a temporary name, synced, and renamed, and then its name is synced: a killed process leaves no
 * half blob, and a machine that dies loses none that was written.
 */
export function createLocalContentStore(dir: string): ContentStore {
  const root = path.resolve(dir);

  function locate(key: string): string {
    const file = path.resolve(root, key);
    // Keys are ours, yet a slip must never become a way out of the folder.
    if (!file.startsWith(root + path.sep)) throw new ContentMissingError(key);
    return file;
  }

  return {
    async write(key, source, maxBytes, signal): Promise<WrittenBlob> {
      const file = locate(key);
      const partial = path.join(root, 'tmp', randomUUID());
      await mkdir(path.dirname(partial), { recursive: true });
      const folder = path.dirname(file);
      const made = await mkdir(folder, { recursive: true });
      const measured = measureSource(maxBytes);
      try {
        await pipeline(source, measured.chunks, createWriteStream(partial, { flush: true }), { signal });
        await rename(partial, file);
        await syncFolder(folder);
        if (made !== undefined) await syncFolder(path.dirname(made));
      } catch (error) {
        await rm(partial, { force: true });
        throw error;
      }
      return measured.written();
    },

    async open(key, range?: ByteRange): Promise<Readable> {
      const file = locate(key);
      // Opened before the answer begins, so that a missing blob is a 404 and not a broken body.
      const descriptor = await open(file, 'r').catch(missing(key));
      return createReadStream(file, { fd: descriptor, highWaterMark: 256 * 1024, ...range });
    },

    async check(key): Promise<void> {
      await stat(locate(key)).catch(missing(key));
    },

    async remove(key): Promise<void> {
      await rm(locate(key), { force: true });
    },

    async clearOlder(folder, ageMs): Promise<void> {
      const entries = await readdir(locate(folder), { recursive: true, withFileTypes: true }).catch(() => []); // not there yet
      for (const entry of entries.filter((one) => one.isFile())) {
        const file = path.join(entry.parentPath, entry.name);
        const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Infinity })); // another has removed it
        if (mtimeMs < Date.now() - ageMs) await rm(file, { force: true });
      }
    },
  };
}

function missing(key: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    throw error.code === 'ENOENT' ? new ContentMissingError(key) : error;
  };
}

/** What systems and file systems say that cannot sync a folder. */
const NO_SYNC = new Set(['EINVAL', 'EISDIR', 'ENOTSUP', 'EPERM']);

/** Makes a name last: a machine that dies after a rename may have forgotten it, though the file is synced. */
async function syncFolder(folder: string): Promise<void> {
  try {
    await using descriptor = await open(folder, 'r');
    await descriptor.sync();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && NO_SYNC.has(String(error.code)))) throw error;
  }
}
