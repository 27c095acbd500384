import { readv } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { startStallTimer } from '../stalled-readers.ts';
import { BlockPool } from './block-pool.ts';

interface FilePart {
  start: number;
  bytes: number;
}

const pool = new BlockPool();

/**
 * Sends a part of a file, and closes the file.
 * @param onError called if the body is cut short, which aborts the response
 */
export function sendFile(
  reply: FastifyReply,
  file: FileHandle,
  part: FilePart,
  onError: (error: Error) => void,
): FastifyReply {
  const { raw } = reply;
  void reply.header('content-length', part.bytes);
  reply.hijack();
  const download = new Download(raw, file, part, onError);
  // The client may already have disconnected, and no further event would report it.
  if (raw.destroyed || raw.closed) {
    download.close();
    return reply;
  }
  // The cast is safe because these headers each have a single value.
  raw.writeHead(reply.statusCode, reply.getHeaders() as Record<string, string | number>);
  startStallTimer(raw);
  raw.once('close', () => download.close());
  download.read();
  return reply;
}

/** Reads blocks of a file, writes them, and reuses them when the system has taken them. Each step starts the next. */
class Download {
  readonly #raw: ServerResponse;
  readonly #file: FileHandle;
  readonly #onError: (error: Error) => void;
  readonly #bytes: number;
  #position: number;
  #left: number;
  #blocks: Buffer[] = [];
  #isReading = false;
  #isClosed = false;

  constructor(raw: ServerResponse, file: FileHandle, { start, bytes }: FilePart, onError: (error: Error) => void) {
    this.#raw = raw;
    this.#file = file;
    this.#onError = onError;
    this.#bytes = bytes;
    this.#position = start;
    this.#left = bytes;
  }

  read(): void {
    this.#blocks = pool.take(this.#left);
    this.#isReading = true;
    readv(this.#file.fd, this.#blocks, this.#position, this.#onRead);
  }

  close(): void {
    this.#isClosed = true;
    if (!this.#isReading) this.#release();
  }

  readonly #onRead = (error: Error | null, bytesRead: number): void => {
    this.#isReading = false;
    if (this.#isClosed) return this.#release();
    if (error || (bytesRead === 0 && this.#left > 0)) {
      const sent = this.#bytes - this.#left;
      this.#onError(error ?? new Error(`the body ended after ${sent} of ${this.#bytes} bytes`));
      this.#raw.destroy();
      return;
    }
    this.#write(Math.min(bytesRead, this.#left));
  };

  /**
   * Writes the blocks, which Node combines into one system call. The last block ends the response in the same call,
   * because a client that has all bytes may close the connection immediately, and an unfinished response would be
   * recorded as aborted.
   */
  #write(bytes: number): void {
    this.#position += bytes;
    this.#left -= bytes;
    let unwritten = bytes;
    for (const block of this.#blocks) {
      const part = unwritten < block.byteLength ? block.subarray(0, unwritten) : block;
      unwritten -= part.byteLength;
      if (unwritten > 0) this.#raw.write(part);
      else return void (this.#left === 0 ? this.#raw.end(part) : this.#raw.write(part, this.#onWritten));
    }
  }

  readonly #onWritten = (error?: Error | null): void => {
    if (error || this.#isClosed) return;
    pool.put(this.#blocks);
    this.read();
  };

  #release(): void {
    // The system may still read the blocks of an aborted response.
    if (this.#raw.writableFinished) pool.put(this.#blocks);
    else pool.discard(this.#blocks);
    this.#blocks = [];
    this.#file.close().catch(this.#onError);
  }
}
