import { createHash } from 'node:crypto';
import { ContentTooLargeError, type WrittenBlob } from './content-store.ts';

/** A source that is counted and hashed as it passes. */
export interface MeasuredSource {
  /**
   * The source's own pieces.
   * @throws {ContentTooLargeError} past the limit
   */
  pieces: (source: AsyncIterable<Uint8Array>) => AsyncGenerator<Uint8Array>;
  /** What has passed; call it once, at the end. */
  written: () => WrittenBlob;
}

/** Measures one write of at most `maxBytes`. */
export function measureSource(maxBytes: number): MeasuredSource {
  const hash = createHash('sha256');
  let bytes = 0;
  async function* pieces(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of source) {
      bytes += piece.byteLength;
      if (bytes > maxBytes) throw new ContentTooLargeError(maxBytes);
      hash.update(piece);
      yield piece;
    }
  }
  return {
    pieces,
    written: () => ({ bytes, sha256: hash.digest('hex') }),
  };
}
