import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises';
import path from 'node:path';

/** Bytes that wait on disk, not in memory. */
export interface SpooledFile {
  bytes: number;
  /** Reads them from the start, as often as is wanted. */
  open(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

const PIECE_BYTES = 64 * 1024;

/**
 * Writes a source to a file in `dir` that has no name any more: the kernel removes it when it is closed, whatever becomes of
 * this process.
 * @throws what the source throws; nothing is left then
 */
export async function spoolFile(dir: string, source: AsyncIterable<Uint8Array>): Promise<SpooledFile> {
  await mkdir(dir, { recursive: true });
  const name = path.join(dir, `spool-${randomUUID()}`);
  const handle = await open(name, 'wx+', 0o600);
  try {
    await unlink(name);
    let bytes = 0;
    for await (const chunk of source) {
      await handle.writeFile(chunk);
      bytes += chunk.byteLength;
    }
    return { bytes, open: () => read(handle, bytes), close: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function* read(handle: FileHandle, bytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes;) {
    const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, bytes - at));
    const { bytesRead } = await handle.read(piece, 0, piece.byteLength, at);
    if (bytesRead === 0) throw new Error('a spooled file became shorter');
    yield piece.subarray(0, bytesRead);
    at += bytesRead;
  }
}
