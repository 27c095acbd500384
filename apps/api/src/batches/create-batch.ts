import { GatewayError } from '@sluice/canonical';
import { decodeBatch, decodeDryRun, decodeEstimatedBatch, isRecord } from '@sluice/protocols';
import { inBytes } from '../http/form-limits.ts';
import type { BatchCall } from './batch-call.ts';
import type { BatchesDeps } from './batches-deps.ts';
import { createOnce } from './create-once.ts';
import { estimateBatch } from './estimate-batch.ts';
import { expectBudget } from '../metering/budget/expect-budget.ts';
import { headersOf, labelsOf } from './line-headers.ts';

/** Creates a batch of the requests in a file, or estimates its cost if `dry_run` is true. */
export async function createBatch(deps: BatchesDeps, call: BatchCall): Promise<unknown> {
  const { apiKey, request } = call;
  const { body } = request;
  if (decodeDryRun(request.query)) {
    const estimated = decodeEstimatedBatch(body);
    await expectBatchFile(deps, apiKey.name, estimated.inputFileId);
    const open = (): Promise<AsyncIterable<Uint8Array>> => deps.files.open(estimated.inputFileId);
    return estimateBatch(deps, call, estimated, await open(), isChecked(request.query) ? undefined : open);
  }
  const decoded = decodeBatch(body);
  const labels = labelsOf(request);
  expectWindow(deps, decoded.windowMs);
  await expectBatchFile(deps, apiKey.name, decoded.inputFileId);
  await expectBudget(deps.limiter, apiKey);
  const headers = headersOf(request, decoded.endpoint);
  return createOnce(deps, call, { ...decoded, protocol: 'openai', headers, ...labels });
}

/** Whether a worker, which validates a batch, has checked its lines. It only needs the cost. */
function isChecked(query: unknown): boolean {
  return isRecord(query) && query['is_checked'] === 'true';
}

/** @throws GatewayError `file_not_found`, or `invalid_request` if the file cannot be the input of a batch */
async function expectBatchFile({ files, limits }: BatchesDeps, owner: string, id: string): Promise<void> {
  const param = 'input_file_id';
  const { purpose, bytes } = await files.find(owner, id).catch((error: unknown) => {
    if (!(error instanceof GatewayError) || error.code !== 'file_not_found') throw error;
    throw new GatewayError(error.code, error.message, { param });
  });
  if (purpose !== 'batch') {
    const what = `The file has the purpose \`${purpose}\`. Upload it with the purpose \`batch\`.`;
    throw new GatewayError('invalid_request', what, { param });
  }
  if (bytes <= limits.maxInputBytes) return;
  const what = `The file must be at most ${inBytes(limits.maxInputBytes)}; it has ${inBytes(bytes)}. Create several batches.`;
  throw new GatewayError('invalid_request', what, { param });
}

/** @throws GatewayError `invalid_request` */
function expectWindow({ limits: { maxWindowMs } }: BatchesDeps, windowMs: number): void {
  if (windowMs <= maxWindowMs) return;
  const max = Math.floor(maxWindowMs / 60_000);
  throw new GatewayError('invalid_request', `completion_window must be at most ${max}m.`, {
    param: 'completion_window',
  });
}
