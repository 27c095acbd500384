import { GatewayError } from '@sluice/canonical';
import type { Segment } from '../input/segments.ts';
import type { StoredBatch } from '../store/batch-record.ts';
import { lineField } from '../store/line-fields.ts';
import type { Lease } from './leases.ts';
import type { WorkerContext } from './worker-context.ts';

/** The first character of a stored result: whether it belongs to the output file or to the error file. */
type Destination = 'o' | 'e';

/** Results that are read at once. */
const CHUNK = 25;
const NAME_DIGITS = 6;

/**
 * Adds the results of a segment to the output and error files, as a part of each. The part's name is the number of the
 * segment, so a worker that repeats this replaces the part.
 * @throws Error if the segment has ended, or if the files cannot be written now
 */
export async function writeParts(
  context: WorkerContext,
  lease: Lease,
  batch: StoredBatch,
  segment: Segment,
): Promise<void> {
  const { files, logger } = context;
  const name = lease.job.padStart(NAME_DIGITS, '0');
  const uploads = [['o', batch.outputUpload] as const, ['e', batch.errorUpload] as const];
  for (const [destination, uploadId] of uploads) {
    const results = resultsOf(context, lease, segment, destination);
    const first = await results.next();
    if (first.done) continue;
    const content = await files.write(startingWith(first.value, results), Number.MAX_SAFE_INTEGER);
    try {
      await files.addPart(batch.owner, uploadId, content, name);
    } catch (error) {
      await files.discard(content);
      if (!isUploadGone(error)) throw error;
      // The last step of the batch fails it.
      logger.error({ err: error, batch: batch.id }, 'upload of the results of a batch has ended');
    }
  }
}

/** Whether an upload does not exist or is not pending, so that no retry can succeed. */
export function isUploadGone(error: unknown): boolean {
  return error instanceof GatewayError && (error.code === 'upload_not_found' || error.code === 'invalid_request');
}

async function* resultsOf(
  { redis, keys }: WorkerContext,
  { id, job }: Lease,
  { lines }: Segment,
  destination: Destination,
): AsyncGenerator<string> {
  for (let from = 0; from < lines; from += CHUNK) {
    const count = Math.min(CHUNK, lines - from);
    const fields = Array.from({ length: count }, (_, at) => lineField('result', from + at));
    const results = await redis.hmget(keys.lines(id, job), ...fields);
    for (const result of results) {
      if (result === null) throw new Error('a line of a segment has no result');
      if (result.startsWith(destination)) yield result.slice(1);
    }
  }
}

async function* startingWith(first: string, rest: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${first}\n`);
  for await (const result of rest) yield Buffer.from(`${result}\n`);
}
