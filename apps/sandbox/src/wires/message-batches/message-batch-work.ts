import type { BatchVendor } from '../../batches/batch-vendor.ts';
import type { Blob } from '../../batches/blob-store.ts';
import { numberedLines } from '../../batches/json-lines.ts';
import { type BatchWork, isSucceeded, type LineOutcome } from '../../batches/vendor-batch.ts';
import { isObject, parseJson } from '../../schema/json.ts';
import { BatchRequestSchema } from './create-request.ts';
import type { MessageBatch } from './message-batch.ts';

const DISCONNECTED = {
  type: 'error',
  error: { type: 'api_error', message: 'Internal server error' },
  request_id: null,
};

/** The vendor reports the tier of batches in the usage of each message. */
function inBatch(message: unknown): unknown {
  const usage: unknown = Object(message).usage;
  return isObject(message) && isObject(usage) ? { ...message, usage: { ...usage, service_tier: 'batch' } } : message;
}

function resultOf(outcome: LineOutcome): object {
  if (outcome.type !== 'response') return { type: outcome.type };
  const { body = DISCONNECTED } = outcome;
  return isSucceeded(outcome) ? { type: 'succeeded', message: inBatch(body) } : { type: 'errored', error: body };
}

/**
 * Reads the requests from a file, and writes one file of all results.
 * @param headers those of the creation that apply to each request.
 */
export function messageBatchWork(
  { apiKey, blobs }: BatchVendor,
  requests: Blob,
  { details }: MessageBatch,
  headers: Record<string, string>,
): BatchWork {
  const results = blobs.openWriter();
  return {
    neverFails: true,
    prepare: () => Promise.resolve(details.size),
    async *lines() {
      const own = { ...headers, 'x-api-key': apiKey };
      for await (const { number, text } of numberedLines(blobs.read(requests))) {
        const { custom_id: key, params: body } = BatchRequestSchema.parse(parseJson(text));
        yield { index: number - 1, key, path: '/v1/messages', headers: own, body };
      }
    },
    record: ({ key }, outcome) => results.write({ custom_id: key, result: resultOf(outcome) }),
    async finish() {
      details.results = await results.close();
      await blobs.remove(requests);
    },
  };
}
