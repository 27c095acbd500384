import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises';
import path from 'node:path';
import { GatewayError } from '@sluice/canonical';

export interface SpooledFile {
  bytes: number;
  /** Reads the file from the start. Can be called repeatedly. */
  open(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

const CHUNK_BYTES = 64 * 1024;

/** Writes uploads of unknown length to disk, so that they can be sent again. All together have a limit. */
export class Spool {
  readonly #dir: string;
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(dir: string, maxBytes: number) {
    this.#dir = dir;
    this.#maxBytes = maxBytes;
  }

  /**
   * Writes to an unlinked file. The kernel removes it when it is closed or the process dies.
   * @throws GatewayError `store_unavailable` if the limit is reached or the disk is full
   * @throws the source's own error
   */
  async write(source: AsyncIterable<Uint8Array>): Promise<SpooledFile> {
    let bytes = 0;
    const release = (): void => {
      this.#bytes -= bytes;
      bytes = 0;
    };
    try {
      const handle = await openUnlinked(this.#dir);
      try {
        for await (const chunk of source) {
          if (this.#bytes + chunk.byteLength > this.#maxBytes) throw spoolFull();
          bytes += chunk.byteLength;
          this.#bytes += chunk.byteLength;
          await handle.writeFile(chunk);
        }
      } catch (error) {
        await handle.close();
        throw error;
      }
      const length = bytes;
      const close = async (): Promise<void> => {
        release();
        await handle.close();
      };
      return { bytes: length, open: () => read(handle, length), close };
    } catch (error) {
      release();
      throw isFull(error) ? spoolFull(error) : error;
    }
  }
}

async function openUnlinked(dir: string): Promise<FileHandle> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const name = path.join(dir, `spool-${randomUUID()}`);
  const handle = await open(name, 'wx+', 0o600);
  await unlink(name);
  return handle;
}

function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}

function spoolFull(cause?: unknown): GatewayError {
  const what = 'The storage for uploads is full. Send the field `model` before the file, or retry later.';
  return new GatewayError('store_unavailable', what, { cause });
}

async function* read(handle: FileHandle, bytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes;) {
    const part = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, bytes - at));
    const { bytesRead } = await handle.read(part, 0, part.byteLength, at);
    if (bytesRead === 0) throw new Error('a spooled file was truncated');
    yield part.subarray(0, bytesRead);
    at += bytesRead;
  }
}
