import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { stat, unlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';

/** Bytes in a temporary file. */
export interface Blob {
  path: string;
  bytes: number;
}

export interface BlobWriter {
  /** Appends bytes. Resolves when the writer accepts more. */
  append(bytes: Buffer): Promise<void>;
  /** Appends one JSON line. */
  write(line: unknown): Promise<void>;
  /** Ends the file. */
  close(): Promise<Blob>;
}

/**
 * Keeps the files of vendors on the disk, so that large batches use little memory. They end with the process.
 * @param dataDir the parent of the temporary folder. Default: that of the system.
 */
export function createBlobStore(dataDir: string = os.tmpdir()) {
  let folder: string | undefined;

  function newPath(): string {
    if (folder === undefined) {
      mkdirSync(dataDir, { recursive: true, mode: 0o700 });
      folder = mkdtempSync(path.join(dataDir, 'sandbox-files-'));
    }
    return path.join(folder, randomUUID());
  }

  return {
    async store(source: AsyncIterable<unknown>): Promise<Blob> {
      const target = newPath();
      await pipeline(source, createWriteStream(target));
      return { path: target, bytes: (await stat(target)).size };
    },
    openWriter(): BlobWriter {
      const target = newPath();
      const file = createWriteStream(target);
      let bytes = 0;
      async function append(chunk: Buffer): Promise<void> {
        bytes += chunk.length;
        if (!file.write(chunk)) await once(file, 'drain');
      }
      return {
        append,
        write: (line) => append(Buffer.from(`${JSON.stringify(line)}\n`)),
        async close() {
          file.end();
          await once(file, 'close');
          return { path: target, bytes };
        },
      };
    },
    read: (blob: Blob): Readable => createReadStream(blob.path),
    remove: (blob: Blob) => unlink(blob.path),
    close() {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type BlobStore = ReturnType<typeof createBlobStore>;
