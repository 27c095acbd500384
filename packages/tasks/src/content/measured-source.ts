import { createHash } from 'node:crypto';
import { ContentTooLargeError, type WrittenBlob } from './content-store.ts';

/** A source that is counted and hashed as it passes. */
export interface MeasuredSource {
  /**
   * The source's own pieces.
   * @throws {ContentTooLargeError} past the limit
   */
  chunks: (source: AsyncIterable<Uint8Array>) => AsyncGenerator<Uint8Array>;
  /** What has passed; call it once, at the end. */
  written: () => WrittenBlob;
}

/** Measures one write of at most `maxBytes`. */
export function measureSource(maxBytes: number): MeasuredSource {
  const hash = createHash('sha256');
  let bytes = 0;
  async function* chunks(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw new ContentTooLargeError(maxBytes);
      hash.update(chunk);
      yield chunk;
    }
  }
  return {
    chunks,
    written: () => ({ bytes, sha256: hash.digest('hex') }),
  };
}
