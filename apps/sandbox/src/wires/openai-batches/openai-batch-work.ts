import type { BatchVendor } from '../../batches/batch-vendor.ts';
import { numberedLines } from '../../batches/json-lines.ts';
import { type BatchLine, type BatchWork, isSucceeded, type LineOutcome } from '../../batches/vendor-batch.ts';
import { SERVER_ERROR } from '../openai-style/openai-error.ts';
import { checkInput, readLine, versioned } from './batch-input.ts';
import type { OpenAiBatch } from './openai-batch.ts';
import type { OpenAiFile, OpenAiFiles } from './openai-files.ts';

const DISCONNECTED = { error: { message: SERVER_ERROR, type: 'server_error', param: null, code: null } };
const UNSERVED = {
  expired: {
    code: 'batch_expired',
    message: 'This request could not be executed before the completion window expired.',
  },
  canceled: { code: 'batch_cancelled', message: 'This request was not executed because the batch was cancelled.' },
};

/** Reads the input file, and writes a file of successful lines and a file of other lines. */
export function openAiBatchWork(
  vendor: BatchVendor,
  files: OpenAiFiles,
  input: OpenAiFile,
  { details, id: batchId }: OpenAiBatch,
): BatchWork {
  const { apiKey, blobs, newId } = vendor;
  const output = blobs.openWriter();
  const errors = blobs.openWriter();
  const lines = () => numberedLines(blobs.read(input.blob));

  function format({ key }: BatchLine, outcome: LineOutcome): object {
    const head = { id: `batch_req_${newId()}`, custom_id: key };
    if (outcome.type !== 'response') return { ...head, response: null, error: UNSERVED[outcome.type] };
    const { status, body = DISCONNECTED } = outcome;
    return { ...head, response: { status_code: status, request_id: `req_${newId()}`, body }, error: null };
  }

  async function publish(writer: typeof output, name: string): Promise<string | undefined> {
    const blob = await writer.close();
    if (blob.bytes === 0) return undefined;
    const file = { blob, filename: `${batchId}_${name}.jsonl`, purpose: 'batch_output' };
    return files.add({ ...file, expiresAfterSeconds: details.outputSeconds }).id;
  }

  return {
    async prepare() {
      const { total, errors: found, model } = await checkInput(lines(), details.endpoint);
      Object.assign(details, { errors: found, model });
      return found.length === 0 ? total : undefined;
    },
    async *lines() {
      const headers = { authorization: `Bearer ${apiKey}` };
      let index = 0;
      for await (const { text } of lines()) {
        const line = readLine(text);
        if (line) yield { index, key: line.custom_id, path: versioned(line.url), headers, body: line.body };
        index += 1;
      }
    },
    async record(line, outcome) {
      if (outcome.type === 'response') details.usage.add(outcome.body);
      await (isSucceeded(outcome) ? output : errors).write(format(line, outcome));
    },
    async finish() {
      details.outputFileId = await publish(output, 'output');
      details.errorFileId = await publish(errors, 'error');
    },
  };
}
