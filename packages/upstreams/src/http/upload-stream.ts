import { Readable } from 'node:stream';

export interface UploadOptions {
  /** How long the upstream may be idle, in milliseconds. */
  maxIdleMs: number;
  onIdle: () => void;
  onFailure: (error: unknown) => void;
}

export interface Upload {
  stream: Readable;
  stopTimer(): void;
}

/** Small enough that each sent chunk shows progress on a slow connection. */
const CHUNK_BYTES = 64 * 1024;

/**
 * Streams a source with backpressure and measures how long the upstream is idle. The timer stops while the stream waits
 * for the **source**, because clients may upload slowly. It runs while the stream waits for the **upstream** to accept
 * a chunk, or to respond after the last chunk. Each accepted chunk resets it.
 */
export function uploadStream(source: AsyncIterable<Uint8Array>, options: UploadOptions): Upload {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const waitForSource = (): void => clearTimeout(timer);
  const waitForUpstream = (): void => {
    clearTimeout(timer);
    if (!isOver) timer = setTimeout(options.onIdle, options.maxIdleMs);
  };
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of source) {
        for (let at = 0; at < chunk.byteLength; at += CHUNK_BYTES) {
          waitForUpstream();
          yield chunk.subarray(at, at + CHUNK_BYTES);
        }
        waitForSource();
      }
      waitForUpstream();
    } catch (error) {
      options.onFailure(error);
      throw error;
    }
  }
  const stream = Readable.from(chunks(), { objectMode: false, highWaterMark: CHUNK_BYTES });
  // The upstream call reports errors. An aborted stream has no other listener.
  stream.on('error', () => undefined);
  return {
    stream,
    stopTimer: () => {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
