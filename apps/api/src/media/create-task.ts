import { GatewayError, type InputImage, type MediaRequest } from '@sluice/canonical';
import { discardContent } from '@sluice/content';
import type { InlineImage, StoredFile } from '@sluice/protocols';
import type { AdmittedTask, NewTask } from '@sluice/tasks';
import { abortReason } from '../http/abort-requests.ts';
import { requestDigest } from '../http/idempotency/request-digest.ts';
import { idempotencyKeyOf } from '../http/idempotency/idempotency-key.ts';
import { endUserOfFields } from '../ledger/end-user.ts';
import { countTaskRefusals } from '../metering/count-task-refusals.ts';
import { taskAllowance } from '../metering/task-allowance.ts';
import { enforceMaxCost } from './max-cost.ts';
import type { FoundImage, PreparedImage } from './inputs/file-images.ts';
import type { MediaDeps } from './media-deps.ts';
import { lostNames, prepareTask, reportLosses, type TaskCreation } from './prepare-task.ts';
import { readForm, type ReadForm, storeImage } from './read-form.ts';
import { submitTraced } from './trace/submit-traced.ts';

/**
 * Creates a task from a request. If an error occurs before the task is recorded, all uploaded files are removed.
 * @throws GatewayError
 */
export async function createTask<R extends MediaRequest, W = R>(
  deps: MediaDeps,
  call: TaskCreation<R, W>,
): Promise<AdmittedTask> {
  const { request, reply, disconnected } = call;
  const idempotencyKey = idempotencyKeyOf(request);
  const form = await readForm(request, deps.content, deps.limits, call.fileFields);
  const stored = form.files.map(({ key }) => key);
  let admitted: AdmittedTask;
  try {
    request.ledger?.setUser(endUserOfFields(form.fields));
    const prepared = await prepareTask(deps, call, form);
    const { creation, decoded, choice } = prepared;
    const targets = enforceMaxCost(choice, prepared.maxCostUsd);
    const images: InputImage[] = [];
    for (const image of prepared.images) {
      images.push('source' in image ? image : await storeInput(deps, image, stored));
    }
    // A disconnected client cannot receive the response and will retry, so the task must not start.
    const stopped = abortReason(disconnected);
    if (stopped) throw stopped;
    if (disconnected.aborted)
      throw new GatewayError('invalid_request', 'The client disconnected before the request was complete.');
    if (request.ledger) request.ledger.dropped = lostNames(prepared);
    const task: NewTask = {
      ownerId: creation.apiKey.name,
      model: choice.model,
      targets,
      request: creation.complete(decoded.request, images, choice.models),
      seconds: choice.seconds,
      operation: creation.operation,
      digest: digestOf(form),
      ...(request.ledger && { ledger: request.ledger.sharedFields() }),
      ...(decoded.externalId !== undefined && { externalId: decoded.externalId }),
      options: prepared.options,
      ...prepared.callback,
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      retryCount: readRetryCount(request.headers['x-stainless-retry-count']),
    };
    const allowance = taskAllowance(creation.apiKey);
    if (allowance) task.allowance = allowance;
    await deps.charges.reserve(creation, {});
    admitted = await countTaskRefusals(deps.metrics, request, submitTraced(deps.engine, task, request.trace));
    if (request.ledger) request.ledger.taskId = admitted.task.id;
    reportLosses(prepared);
  } catch (error) {
    // If the task may have been recorded, its images must not be deleted.
    if (!mayBeStored(error)) await discardContent(deps.content, stored);
    throw error;
  }
  await discardContent(deps.content, admitted.replayed ? stored : admitted.unusedInputs);
  if (admitted.replayed) void reply.header('idempotent-replayed', 'true');
  return admitted;
}

/** Stores a copy of the image for the task, so that the client can delete its file. */
async function storeInput(
  deps: MediaDeps,
  image: Exclude<PreparedImage, InputImage>,
  stored: string[],
): Promise<InputImage> {
  const file =
    'file' in image ? await copyFile(deps, image) : await storeBytes(deps, image, decodedBytes(image), 'input');
  stored.push(file.key);
  if ('file' in image) deps.metrics.fileReferences.inc({ how: 'task' });
  const { field: _field, ...source } = file;
  return { role: image.role, source: { kind: 'stored', ...source } };
}

async function copyFile(deps: MediaDeps, image: FoundImage): Promise<StoredFile> {
  const content = await deps.files.open(image.file.id);
  try {
    return await storeBytes(deps, image, content, image.file.filename);
  } finally {
    // The store may fail before it reads the first byte.
    content.destroy();
  }
}

function storeBytes(
  { content, limits }: MediaDeps,
  { param }: { param: string },
  bytes: AsyncIterable<Uint8Array>,
  name: string,
): Promise<StoredFile> {
  return storeImage(content, bytes, param, name, limits.upload_bytes);
}

async function* decodedBytes({ base64 }: InlineImage): AsyncGenerator<Uint8Array> {
  yield Buffer.from(base64, 'base64');
}

function digestOf({ fields, files }: ReadForm): string {
  const parts = [fields ?? null, ...files.map(({ field, sha256 }) => [field, sha256])];
  return requestDigest(parts);
}

/** Published SDKs report the number of their retries in this header (openai-node 7, `client.ts`). */
function readRetryCount(header: string | string[] | undefined): number {
  return typeof header === 'string' && /^\d{1,3}$/.test(header) ? Number(header) : 0;
}

/** Whether the task may have been recorded although the call failed. The engine marks this error as not retryable. */
function mayBeStored(error: unknown): boolean {
  return error instanceof GatewayError && error.code === 'store_unavailable' && !error.retryable;
}
