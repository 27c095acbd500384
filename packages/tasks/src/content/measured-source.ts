import { createHash } from 'node:crypto';
import { ContentTooLargeError } from '@sluice/canonical';
import type { WrittenBlob } from './content-store.ts';

export interface MeasuredSource {
  /** @throws {ContentTooLargeError} past the limit */
  chunks: (source: AsyncIterable<Uint8Array>) => AsyncGenerator<Uint8Array>;
  /** Returns bytes and hash. Call it once, at the end. */
  written: () => WrittenBlob;
}

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
