import { createHash } from 'node:crypto';
import { ContentTooLargeError } from '@sluice/canonical';
import type { WrittenBlob } from './content-store.ts';

export interface MeasuredSource {
  /** Passes chunks on and measures them. @throws {ContentTooLargeError} above the limit */
  chunks: (source: AsyncIterable<Uint8Array>) => AsyncGenerator<Uint8Array>;
  /** Returns the size and hash. Call it once, after the last chunk. */
  written: () => WrittenBlob;
  /** Returns the source's error or the size error; undefined if there was none. */
  failure: () => unknown;
}

export function measureSource(maxBytes: number): MeasuredSource {
  const hash = createHash('sha256');
  let bytes = 0;
  let failure: unknown;
  async function* chunks(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of source) {
        bytes += chunk.byteLength;
        if (bytes > maxBytes) throw new ContentTooLargeError(maxBytes);
        hash.update(chunk);
        yield chunk;
      }
    } catch (error) {
      failure = error;
      throw error;
    }
  }
  return {
    chunks,
    failure: () => failure,
    written: () => ({ bytes, sha256: hash.digest('hex') }),
  };
}
