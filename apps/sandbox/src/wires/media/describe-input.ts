import { hexFrom } from '../../jobs/job-id.ts';
import type { JobInput } from '../../jobs/media-job.ts';

export function describeBytes(field: string, bytes: Buffer, mediaType?: string): JobInput {
  return { field, mediaType, bytes: bytes.length, sha256: hexFrom(bytes) };
}

/** Measures data URLs. Other URLs are never fetched. */
export function describeReference(field: string, reference: string): JobInput {
  const [, mediaType, base64] = /^data:([^;,]*);base64,([\s\S]*)$/.exec(reference) ?? [];
  if (base64 === undefined) return { field, reference };
  return describeBytes(field, Buffer.from(base64, 'base64'), mediaType);
}
