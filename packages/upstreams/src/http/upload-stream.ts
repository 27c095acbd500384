import { Readable } from 'node:stream';

/** What {@link uploadStream} needs. */
export interface UploadOptions {
  /** Silence allowed to the upstream, in milliseconds. */
  silenceMs: number;
  /** The upstream took nothing, or said nothing, for so long. */
  onSilence: () => void;
  /** The source failed. */
  onFailure: (error: unknown) => void;
}

/** A body on its way to an upstream. */
export interface Upload {
  stream: Readable;
  /** The upstream has answered, or is given up: its silence means nothing any more. */
  over(): void;
}

/** Pieces small enough that each one that goes is a sign of progress on a slow line. */
const CHUNK_BYTES = 64 * 1024;

/**
 * Sends a source with back-pressure and watches the upstream's silence. At any time one side is waited for. While it is the
 * **source**, the clock stands still: whoever uploads may be slow. While it is the **upstream**, which has to take a piece
 * or, after the last one, to answer, the clock runs; each piece that is taken starts it anew.
 */
export function uploadStream(source: AsyncIterable<Uint8Array>, options: UploadOptions): Upload {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const waitForSource = (): void => clearTimeout(timer);
  const waitForUpstream = (): void => {
    clearTimeout(timer);
    if (!isOver) timer = setTimeout(options.onSilence, options.silenceMs);
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
  // Whoever sends it is told by the call; a stream that is given up early has nobody who listens.
  stream.on('error', () => undefined);
  return {
    stream,
    over: () => {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
