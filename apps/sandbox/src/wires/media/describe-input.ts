import { createHash } from 'node:crypto';
import type { JobInput } from '../../jobs/media-job.ts';

export function describeBytes(field: string, bytes: Buffer, mediaType?: string): JobInput {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { field, mediaType, bytes: bytes.length, sha256 };
}

/** Data URLs are measured; nothing is fetched. */
export function describeReference(field: string, reference: string): JobInput {
  const [, mediaType, base64] = /^data:([^;,]*);base64,([\s\S]*)$/.exec(reference) ?? [];
  if (base64 === undefined) return { field, reference };
  return describeBytes(field, Buffer.from(base64, 'base64'), mediaType);
}
