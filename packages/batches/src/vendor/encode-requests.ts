import { setTimeout } from 'node:timers/promises';
import { type BatchLine, ContentTooLargeError, type VendorBatchCapability } from '@sluice/canonical';
import type { FilePart, WrittenContent } from '@sluice/files';
import type { RawLine } from '../input/split-lines.ts';
import type { StoredBatch } from '../store/batch-record.ts';
import type { Lease } from '../worker/leases.ts';
import { UPLOAD_GRACE_MS } from '../worker/open-uploads.ts';
import { parseLine, readLines } from '../worker/read-lines.ts';
import type { WorkerContext } from '../worker/worker-context.ts';
import { requestKey } from './request-key.ts';
import { serveVendorLine, TemporaryRefusalError } from './serve-vendor-line.ts';

/** The vendor cannot run the batch, so workers send its lines. */
export class NotForVendorError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NotForVendorError';
  }
}

export interface EncodedRequests {
  content: WrittenContent;
  /** Without the lines that the API refuses. Their results are recorded after the vendor's batch. */
  requests: number;
  /** The content of the input, which stays readable if the client deletes the file. */
  input: readonly FilePart[];
}

/** Reserved for each request, which can be larger than its line, because it may contain files. */
const MIN_BYTES = 8 * 1024 * 1024;
/** The status of the API for a request that the vendor account cannot serve. */
const UNSUPPORTED = 204;
const MAX_RETRIES = 4;
const FIRST_RETRY_MS = 100;

/**
 * Encodes the requests of a batch for its vendor, and streams them to the content store.
 * @throws {NotForVendorError} if the vendor cannot run the batch. @throws GatewayError `invalid_api_key`,
 * `file_not_found`
 */
export async function encodeRequests(
  context: WorkerContext,
  { lease, batch }: { lease: Lease; batch: StoredBatch },
  capability: VendorBatchCapability,
  account: string,
): Promise<EncodedRequests> {
  const signal = AbortSignal.any([lease.lost, lease.closing, context.stopping]);
  const input = await context.files.pin(batch.owner, batch.inputFileId, batch.windowMs + UPLOAD_GRACE_MS);
  let requests = 0;

  /** Repeats a call that the API refuses for a short time, so that the other requests need not be encoded again. */
  async function served(line: { number: number; line: BatchLine }): Promise<{ status: number; text: string }> {
    for (let retries = 0; ; retries += 1) {
      const isLast = retries === MAX_RETRIES;
      try {
        const response = await serveVendorLine(context, batch, line, { step: 'encode', account });
        if (response.status < 500 || isLast) return response;
      } catch (error) {
        if (!(error instanceof TemporaryRefusalError) || isLast) throw error;
      }
      await setTimeout(FIRST_RETRY_MS * 2 ** retries, undefined, { signal });
    }
  }

  async function encode({ number, bytes }: RawLine): Promise<string | undefined> {
    const { status, text } = await served({ number, line: parseLine(bytes) });
    if (status === UNSUPPORTED) throw new NotForVendorError('a request needs another upstream');
    if (status >= 500) throw new NotForVendorError(`a request could not be encoded: HTTP ${status}`);
    return status < 400 ? capability.encode(requestKey(batch.id, number), text) : undefined;
  }

  async function* encoded(): AsyncGenerator<Uint8Array> {
    const [head, separator, tail] = capability.framing;
    yield Buffer.from(head);
    for await (const line of readLines(context, batch, undefined, input)) {
      const reserved = Math.max(line.bytes?.length ?? 0, MIN_BYTES);
      await context.memory.take(reserved);
      try {
        signal.throwIfAborted();
        const request = await encode(line);
        if (request === undefined) continue;
        yield Buffer.from(requests === 0 ? request : separator + request);
        requests += 1;
      } finally {
        context.memory.release(reserved);
      }
    }
    yield Buffer.from(tail);
  }

  try {
    const content = await context.files.write(encoded(), capability.maxBytes, signal);
    return { content, requests, input };
  } catch (error) {
    if (error instanceof ContentTooLargeError) throw new NotForVendorError('the requests are too large');
    throw error;
  }
}
