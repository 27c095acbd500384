import { createHash } from 'node:crypto';
import type { MultipartFile } from '@fastify/multipart';

/** Hashes an uploaded file as it streams, without storing its bytes. */
export async function hashFile(part: MultipartFile, observe: (chunk: Buffer) => void = () => undefined) {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of part.file) {
    // Busboy emits buffers, because no encoding is set.
    const segment: unknown = chunk;
    if (!Buffer.isBuffer(segment)) throw new TypeError('A file part must stream bytes.');
    hash.update(segment);
    observe(segment);
    bytes += segment.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}
