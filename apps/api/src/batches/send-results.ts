import { Readable } from 'node:stream';
import { type Batch, GatewayError, isFinalBatch } from '@sluice/canonical';
import { isRecord, type ResultsFormat, textProtocolOf } from '@sluice/protocols';
import type { FastifyReply } from 'fastify';
import type { BatchCall } from './batch-call.ts';
import type { BatchesDeps } from './batches-deps.ts';
import { type BatchResults, failedResults, isMissingFile, openResults, readJsonLines } from './read-results.ts';

/** Larger results are not in the batch itself, but only in a file. */
const MAX_INLINED_BYTES = 16 * 1024 * 1024;

/**
 * Streams the results of a batch, translated to the protocol of the client.
 * @throws GatewayError `batch_conflict`, `invalid_request` for results that are no text, `file_not_found`
 */
export async function sendResults(deps: BatchesDeps, call: BatchCall, batch: Batch): Promise<FastifyReply> {
  const { reply, request, format, apiKey } = call;
  const { results: resultsFormat } = format;
  if (!resultsFormat) throw new Error('a format without results has no path for them');
  expectResults(batch);
  const { name } = apiKey;
  const results =
    batch.status === 'failed'
      ? await failedResults(deps.files, name, batch, deps.limits.maxLineBytes)
      : await openResults(deps.files, name, batch);
  void reply.type(resultsFormat.mediaType).header('cache-control', 'private, no-store');
  if (request.method === 'HEAD') return reply.send();
  return reply.send(Readable.from(encodedLines(deps, batch, results, resultsFormat)));
}

/** Returns the encoded results, if they are in the encoded batch and still exist. */
export async function inlinedResults(
  deps: BatchesDeps,
  { format, apiKey }: BatchCall,
  batch: Batch,
): Promise<unknown[] | undefined> {
  const { results: resultsFormat } = format;
  const hasFiles = batch.outputFileId !== undefined || batch.errorFileId !== undefined;
  if (!hasFiles || !resultsFormat?.isInlined?.(batch)) return undefined;
  const results = await openResults(deps.files, apiKey.name, batch).catch((error: unknown) => {
    // A batch can be retrieved without its results.
    if (!isMissingFile(error)) throw error;
  });
  if (!results || results.bytes > MAX_INLINED_BYTES) return undefined;
  const metadata = await readMetadata(deps, apiKey.name, batch);
  const encoded: unknown[] = [];
  for await (const result of results.read()) {
    const line = { metadata: metadata.get(result.custom_id) };
    encoded.push(resultsFormat.encode(result, contextOf(deps, batch), line));
  }
  return encoded;
}

async function* encodedLines(
  deps: BatchesDeps,
  batch: Batch,
  results: BatchResults,
  { encode }: ResultsFormat,
): AsyncGenerator<string> {
  const context = contextOf(deps, batch);
  for await (const result of results.read()) yield `${JSON.stringify(encode(result, context))}\n`;
}

function contextOf({ tokenCodec, newId }: BatchesDeps, batch: Batch) {
  return { batch, tokenCodec, newId };
}

function expectResults(batch: Batch): void {
  const { status, errors, endpoint, outputFileId, errorFileId } = batch;
  if (!isFinalBatch(batch)) {
    throw new GatewayError('batch_conflict', 'The batch has not ended. Retrieve it until it has.');
  }
  if (textProtocolOf(endpoint) !== undefined) return;
  if (status === 'failed') {
    const why = errors[0]?.message ?? 'Its input is invalid.';
    throw new GatewayError('invalid_request', `The batch failed, so it has no results. ${why}`);
  }
  const what = `Results of \`${endpoint}\` cannot be translated. Download the file \`${outputFileId ?? errorFileId}\`.`;
  throw new GatewayError('invalid_request', what);
}

/** Reads the metadata of requests, which their results repeat. Empty if the client has deleted the file. */
async function readMetadata({ files }: BatchesDeps, owner: string, batch: Batch): Promise<Map<string, unknown>> {
  const metadata = new Map<string, unknown>();
  try {
    const { id } = await files.find(owner, batch.inputFileId);
    for await (const line of readJsonLines(files, id)) {
      if (isRecord(line) && isRecord(line['metadata'])) metadata.set(String(line['custom_id']), line['metadata']);
    }
  } catch (error) {
    if (!isMissingFile(error)) throw error;
  }
  return metadata;
}
