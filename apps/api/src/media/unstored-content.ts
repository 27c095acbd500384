import { ContentTooLargeError } from '@sluice/canonical';
import type { ContentStore } from '@sluice/content';

/** A content store that keeps nothing. It only checks the size of files. */
export const UNSTORED: Pick<ContentStore, 'write' | 'remove'> = {
  async write(_key, source, maxBytes) {
    let bytes = 0;
    for await (const chunk of source) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw new ContentTooLargeError(maxBytes);
    }
    return { bytes, sha256: '' };
  },
  remove: () => Promise.resolve(),
};
