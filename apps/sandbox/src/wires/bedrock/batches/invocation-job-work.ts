import { z } from 'zod';
import type { BatchVendor } from '../../../batches/batch-vendor.ts';
import type { Blob } from '../../../batches/blob-store.ts';
import { numberedLines } from '../../../batches/json-lines.ts';
import { type BatchLine, type BatchWork, isSucceeded, type LineOutcome } from '../../../batches/vendor-batch.ts';
import { hexFrom } from '../../../jobs/job-id.ts';
import { parseJson } from '../../../schema/json.ts';
import type { CreateJob } from './create-job.ts';
import type { InvocationJob } from './invocation-job.ts';

/** Quotas for Amazon Bedrock: the records of a batch inference job. */
const MIN_RECORDS = 100;
const MAX_RECORDS = 50_000;

const RecordSchema = z.looseObject({ recordId: z.string().optional(), modelInput: z.record(z.string(), z.unknown()) });

export function recordIn(text: string) {
  return RecordSchema.safeParse(parseJson(text)).data;
}

type Call = Pick<BatchLine, 'path' | 'headers' | 'body'>;

/** Returns the request that has the same result as the record. */
function callOf({ modelId, modelInvocationType }: CreateJob, input: Record<string, unknown>, apiKey: string): Call {
  const converse = { path: `/bedrock/model/${encodeURIComponent(modelId)}/converse` };
  const headers = { authorization: `Bearer ${apiKey}` };
  if (modelInvocationType === 'Converse') return { ...converse, headers, body: input };
  // The body of Nova's models is that of Converse with a version.
  const { schemaVersion: _schema, anthropic_version: _version, anthropic_beta: _beta, ...body } = input;
  if (!modelId.includes('anthropic.')) return { ...converse, headers, body };
  const model = modelId.replace(/^.*anthropic\./, '').replace(/-v\d+(?::\d+)?$/, '');
  const own = { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' };
  return { path: '/v1/messages', headers: own, body: { model, ...body } };
}

function failureOf(outcome: LineOutcome): object {
  if (outcome.type !== 'response') {
    return { errorCode: 408, errorMessage: 'The job timed out.', expired: true, retryable: true };
  }
  const { message, error }: { message?: unknown; error?: unknown } = Object(outcome.body);
  const text: unknown = message ?? Object(error).message;
  const errorMessage = typeof text === 'string' ? text : 'The system encountered an unexpected error.';
  return { errorCode: outcome.status, errorMessage, expired: false, retryable: outcome.status >= 500 };
}

/** Reads the records of an object, and writes one object of results and the manifest. Canceled records are left out. */
export function invocationJobWork(
  { apiKey, blobs, s3 }: BatchVendor,
  input: Blob,
  { id, details, counts }: InvocationJob,
  isCut: () => boolean,
): BatchWork {
  const results = blobs.openWriter();
  const inputUri = details.creation.inputDataConfig.s3InputDataConfig.s3Uri;
  const folder = `${details.creation.outputDataConfig.s3OutputDataConfig.s3Uri.replace(/\/$/, '')}/${id}`;
  const lines = () => numberedLines(blobs.read(input));
  const inFlight = new Map<number, unknown>();

  function refuse(message: string): undefined {
    details.message = message;
  }

  return {
    async prepare() {
      let total = 0;
      for await (const { number, text } of lines()) {
        if (recordIn(text) === undefined) return refuse(`Record ${number} of the input is not a valid record.`);
        total += 1;
      }
      if (total < MIN_RECORDS) {
        return refuse(`Your job contains less records (${total}) than the required minimum of: ${MIN_RECORDS}`);
      }
      return total > MAX_RECORDS ? refuse(`Your job contains more records than the maximum of: ${MAX_RECORDS}`) : total;
    },
    async *lines() {
      let index = 0;
      for await (const { text } of lines()) {
        const record = recordIn(text);
        if (!record) continue;
        const { recordId: key = hexFrom(`${id} ${index}`).slice(0, 11), modelInput } = record;
        inFlight.set(index, modelInput);
        yield { index, key, ...callOf(details.creation, modelInput, apiKey) };
        index += 1;
      }
    },
    async record({ index, key }, outcome) {
      const modelInput = inFlight.get(index);
      inFlight.delete(index);
      if (outcome.type === 'canceled') return;
      const result =
        outcome.type === 'response' && isSucceeded(outcome)
          ? { modelOutput: outcome.body }
          : { error: failureOf(outcome) };
      await results.write({ recordId: key, modelInput, ...result });
    },
    async finish() {
      const { total, succeeded, failed } = counts;
      const manifest = blobs.openWriter();
      await manifest.write({
        totalRecordCount: total,
        processedRecordCount: succeeded + failed,
        successRecordCount: succeeded,
        errorRecordCount: failed,
      });
      const name = inputUri.split('/').at(-1);
      const files = { [`${name}.out`]: await results.close(), 'manifest.json.out': await manifest.close() };
      for (const [key, blob] of Object.entries(files)) {
        s3.put(`${folder}/${key}`, { blob, etag: hexFrom(blob.path), isCut });
      }
    },
  };
}
