import { imageType, observeHead, type StoredContent, type TaskOutput } from '@sluice/canonical';
import type { ContentStore } from '@sluice/content';
import { readVideoFacts } from './video-facts.ts';
import type { TaskRecord } from '../../store/task-record.ts';
import type { StepContext } from './step.ts';

/** Returns the error for a finished file that exceeds the size limit. */
export function outputTooLarge({ settings }: Pick<StepContext, 'settings'>): NonNullable<TaskOutput['error']> {
  const message = `The finished file exceeds ${settings.downloadBytes} bytes (\`limits.download_bytes\`).`;
  return { code: 'provider_error', message };
}

/** The file does not have the task's media type. */
export class BrokenContentError extends Error {}

export interface IncomingFile {
  body: AsyncIterable<Uint8Array>;
  bytes?: number; // The declared size.
  index: number; // Index of the output, starting at 0.
}

/**
 * Copies a finished file into the content store. The key contains the epoch, so a stale worker never overwrites the
 * file of a newer worker. The record contains the key of the valid file.
 * @throws {BrokenContentError} for a file that is not an MP4 or an image; `ContentTooLargeError` above `maxBytes`; any
 * other error for an incomplete file
 */
export async function storeOutput(
  content: ContentStore,
  record: Pick<TaskRecord, 'id' | 'kind' | 'epoch'>,
  { body, bytes, index }: IncomingFile,
  maxBytes: number,
  signal: AbortSignal,
): Promise<StoredContent> {
  const name = `${record.id}.${record.epoch}`;
  const key = record.kind === 'video' ? `videos/${name}.mp4` : `images/${name}.${index}`;
  const detected: { mediaType?: string } = {};
  const written = await content.write(key, checked(body, record.kind, bytes, detected), maxBytes, signal);
  const video = record.kind === 'video' ? await videoOf(content, key, written.bytes) : undefined;
  return {
    key,
    bytes: written.bytes,
    etag: written.sha256,
    mediaType: detected.mediaType ?? '',
    ...(video && { video }),
  };
}

/** @throws if the file has the wrong type, or if its length differs from the declared length */
async function* checked(
  body: AsyncIterable<Uint8Array>,
  kind: TaskRecord['kind'],
  expected: number | undefined,
  detected: { mediaType?: string },
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of observeHead(body, (head) => (detected.mediaType = mediaTypeOf(kind, head)))) {
    bytes += chunk.byteLength;
    yield chunk;
  }
  if (expected !== undefined && bytes !== expected) throw new Error(`received ${bytes} of ${expected} bytes`);
}

function mediaTypeOf(kind: TaskRecord['kind'], head: Uint8Array): string {
  if (kind === 'video') {
    if (Buffer.from(head.subarray(4, 8)).toString('latin1') === 'ftyp') return 'video/mp4';
    throw new BrokenContentError('not an MP4 file');
  }
  const type = imageType(head);
  if (type === undefined) throw new BrokenContentError('not an image');
  return type;
}

async function videoOf(content: ContentStore, key: string, bytes: number): Promise<StoredContent['video']> {
  return readVideoFacts(async (start, length) => {
    const parts: Uint8Array[] = [];
    const stream = await content.open(key, { start, end: Math.min(start + length, bytes) - 1 });
    // The cast is safe because the store's streams yield bytes.
    for await (const chunk of stream as AsyncIterable<Uint8Array>) parts.push(chunk);
    return Buffer.concat(parts);
  }, bytes);
}
