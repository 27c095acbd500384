import { ContentTooLargeError, type VendorBatchCapability, VendorResultsGoneError } from '@sluice/canonical';
import type { FileStore } from '@sluice/files';
import { parseSegment, type Segment } from '../input/segments.ts';
import { splitLines } from '../input/split-lines.ts';
import type { StoredBatch } from '../store/batch-record.ts';
import { UPLOAD_GRACE_MS } from '../worker/open-uploads.ts';
import { expectLease, type Lease } from '../worker/leases.ts';
import type { WorkerContext } from '../worker/worker-context.ts';
import { lineOfKey } from './request-key.ts';
import { ResultIndex } from './result-index.ts';
import type { StoredContent } from '../store/vendor-state.ts';

/** Segments whose results are recorded at once. */
const SEGMENTS = 100;
/** A longer result is treated as missing. */
export const MAX_RESULT_BYTES = 64 * 1024 * 1024;

export interface StoredResults {
  results: StoredContent[];
  /** The sources that are not available. */
  missing: string[];
}

/** Streams the results of a vendor's batch to the content store, where they stay as long as the batch's output can. */
export async function storeResults(
  { files }: Pick<WorkerContext, 'files'>,
  { windowMs }: Pick<StoredBatch, 'windowMs'>,
  capability: VendorBatchCapability,
  sources: readonly string[],
  signal: AbortSignal,
): Promise<StoredResults> {
  const [results, missing]: [StoredContent[], string[]] = [[], []];
  for (const source of sources) {
    try {
      const opened = await capability.openResults(source, signal);
      const content = await files.write(opened, Number.MAX_SAFE_INTEGER, signal);
      await files.retain(content, windowMs + UPLOAD_GRACE_MS);
      if (content.bytes > 0) results.push({ key: content.key, bytes: content.bytes });
    } catch (error) {
      if (!(error instanceof VendorResultsGoneError || error instanceof ContentTooLargeError)) throw error;
      missing.push(source);
    }
  }
  return { results, missing };
}

/**
 * Finds the results of each line, and records them for the segments.
 * @throws Error if the lease was lost, or if the content store is unavailable
 */
export async function indexResults(
  context: Pick<WorkerContext, 'redis' | 'keys' | 'files'>,
  { lease, batch }: { lease: Lease; batch: StoredBatch },
  capability: VendorBatchCapability,
  results: readonly StoredContent[],
): Promise<void> {
  const index = new ResultIndex(batch.counts.total);
  for (const [source, content] of results.entries()) {
    for await (const { bytes, start, end } of splitLines(await openStored(context.files, content), MAX_RESULT_BYTES)) {
      const result = bytes && capability.readResult(parseJson(bytes));
      const line = result && lineOfKey(batch.id, result.key);
      if (line !== undefined && line <= batch.counts.total) index.add({ line, source, start, end });
    }
  }
  await recordPlaces(context, lease, index);
}

async function recordPlaces(
  { redis, keys }: Pick<WorkerContext, 'redis' | 'keys'>,
  { id, token }: Lease,
  index: ResultIndex,
): Promise<void> {
  const segments = Object.entries(await redis.hgetall(keys.segments(id)));
  for (let from = 0; from < segments.length; from += SEGMENTS) {
    const pairs = segments.slice(from, from + SEGMENTS).flatMap(([job, text]): [string, string] => {
      const segment: Segment = parseSegment(text);
      return [job, index.encode(segment)];
    });
    expectLease(await redis.batchesAddResults(keys.root, id, token, ...pairs));
  }
}

/** @param range the byte range; `end` is the byte after the last one */
export async function openStored(
  files: Pick<FileStore, 'openWritten'>,
  content: StoredContent,
  range?: { start: number; end: number },
): Promise<AsyncIterable<Uint8Array>> {
  const inclusive = range && { start: range.start, end: range.end - 1 };
  return (await files.openWritten(content, inclusive)) as AsyncIterable<Uint8Array>; // It yields bytes.
}

/** Reads content from the start. It is opened when the first bytes are read. */
export async function* readStored(
  files: Pick<FileStore, 'openWritten'>,
  content: StoredContent,
): AsyncGenerator<Uint8Array> {
  yield* await openStored(files, content);
}

/** @returns undefined if it is not JSON */
export function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
