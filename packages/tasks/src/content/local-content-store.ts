import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ByteRange, ContentMissingError, type ContentStore, type WrittenBlob } from './content-store.ts';
import { measureSource } from './measured-source.ts';

/**
 * A content store in a local folder, or in a volume that API and workers share. A blob is written and synced under a
 * temporary name, then renamed. A killed process leaves no partial blob; a crashed machine loses no written blob.
 */
export function createLocalContentStore(dir: string): ContentStore {
  const root = path.resolve(dir);

  function locate(key: string): string {
    const file = path.resolve(root, key);
    // Sluice generates the keys, but a bug must not let one escape the folder.
    if (!file.startsWith(root + path.sep)) throw new ContentMissingError(key);
    return file;
  }

  return {
    async write(key, source, maxBytes, signal): Promise<WrittenBlob> {
      const file = locate(key);
      const partial = path.join(root, 'tmp', randomUUID());
      await mkdir(path.dirname(partial), { recursive: true, mode: 0o700 });
      const folder = path.dirname(file);
      const createdFolder = await mkdir(folder, { recursive: true, mode: 0o700 });
      const measured = measureSource(maxBytes);
      const target = createWriteStream(partial, { flush: true, mode: 0o600 });
      const closed = new Promise<void>((resolve) => void target.once('close', resolve));
      try {
        await pipeline(source, measured.chunks, target, { signal });
        await rename(partial, file);
        await syncFolder(folder);
        if (createdFolder !== undefined) await syncFolder(path.dirname(createdFolder));
      } catch (error) {
        // `pipeline` may reject before the file is open; it would then be created after its removal.
        target.destroy();
        await closed;
        await rm(partial, { force: true });
        throw error;
      }
      return measured.written();
    },

    async open(key, range?: ByteRange): Promise<Readable> {
      const file = locate(key);
      // Open before the response begins, so that a missing blob returns 404 and not a truncated body.
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
      const entries = await readdir(locate(folder), { recursive: true, withFileTypes: true }).catch(() => []); // does not exist yet
      for (const entry of entries.filter((one) => one.isFile())) {
        const file = path.join(entry.parentPath, entry.name);
        const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Infinity })); // another process has removed it
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

/** Error codes on platforms that cannot sync a folder. */
const UNSUPPORTED_SYNC = new Set(['EINVAL', 'EISDIR', 'ENOTSUP', 'EPERM']);

/** Makes a rename durable: a synced file may still lose its name if the machine crashes after the rename. */
async function syncFolder(folder: string): Promise<void> {
  try {
    await using descriptor = await open(folder, 'r');
    await descriptor.sync();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && UNSUPPORTED_SYNC.has(String(error.code)))) throw error;
  }
}
