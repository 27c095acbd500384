import type { BatchVendor } from '../../batches/batch-vendor.ts';
import { type BatchWork, isSucceeded, type LineOutcome } from '../../batches/vendor-batch.ts';
import { isObject } from '../../schema/json.ts';
import type { BatchSource } from './batch-source.ts';
import type { GenerativeBatch } from './generative-batch.ts';
import type { GenerativeFiles } from './generative-files.ts';

const INTERNAL = { code: 13, message: 'An internal error has occurred.' };
const CANCELED = { code: 1, message: 'The request was not processed.' };
/** Codes of google.rpc.Code, by the HTTP status of a failed request. */
const CODES: Readonly<Record<number, number>> = { 400: 3, 401: 16, 403: 7, 404: 5, 429: 8, 503: 14 };

function resultOf(outcome: LineOutcome): object {
  if (isSucceeded(outcome) && outcome.type === 'response') return { response: outcome.body };
  if (outcome.type !== 'response') return { error: CANCELED };
  const message: unknown = Object(Object(outcome.body).error).message;
  if (typeof message !== 'string') return { error: INTERNAL };
  return { error: { code: CODES[outcome.status] ?? INTERNAL.code, message } };
}

/** Writes the results to a file, or collects them for the batch if its requests were in the body. */
export function generativeBatchWork(
  { apiKey, blobs }: BatchVendor,
  files: GenerativeFiles,
  source: BatchSource,
  { id, details }: GenerativeBatch,
): BatchWork {
  const inline: object[] = [];
  const metadataOf = new Map<number, unknown>();
  const file = blobs.openWriter();
  return {
    async prepare() {
      let total = 0;
      for await (const line of source.lines()) {
        if (line === undefined) return undefined;
        total += 1;
      }
      return total === 0 ? undefined : total;
    },
    async *lines() {
      const path = `/v1beta/models/${encodeURIComponent(details.model)}:generateContent`;
      const headers = { 'x-goog-api-key': apiKey };
      let index = 0;
      for await (const line of source.lines()) {
        if (line === undefined) continue;
        const { model: _model, ...body } = line.request;
        if (isObject(line.metadata)) metadataOf.set(index, line.metadata);
        yield { index, key: line.key ?? keyIn(line.metadata) ?? String(index), path, headers, body };
        index += 1;
      }
    },
    async record({ index, key }, outcome) {
      const metadata = metadataOf.get(index);
      metadataOf.delete(index);
      if (source.isInline) inline[index] = { ...resultOf(outcome), metadata };
      else await file.write({ key, ...resultOf(outcome) });
    },
    async finish() {
      const blob = await file.close();
      details.output = source.isInline
        ? { inlinedResponses: { inlinedResponses: inline } }
        : { responsesFile: files.add({ blob, mimeType: 'application/jsonl' }, `batch-${id}`).name };
    },
  };
}

/** Google's guide identifies requests in the body by the metadata `key`. */
function keyIn(metadata: unknown): string | undefined {
  const key: unknown = Object(metadata).key;
  return typeof key === 'string' ? key : undefined;
}
