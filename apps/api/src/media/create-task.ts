import { createHash } from 'node:crypto';
import { GatewayError, type InputImage, type MediaRequest } from '@sluice/canonical';
import type { InlineImage } from '@sluice/protocols';
import { type AdmittedTask, discardContent, type NewTask } from '@sluice/tasks';
import { abortReason } from '../http/abort-requests.ts';
import { endUserOfFields } from '../ledger/end-user.ts';
import { countTaskRefusals } from '../metering/count-task-refusals.ts';
import { taskAllowance } from '../metering/task-allowance.ts';
import { canonicalJson } from './canonical-json.ts';
import { enforceMaxCost } from './max-cost.ts';
import type { MediaDeps } from './media-deps.ts';
import { prepareTask, reportLosses, type TaskCreation } from './prepare-task.ts';
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
  const idempotencyKey = readIdempotencyKey(request.headers['idempotency-key']);
  const form = await readForm(request, deps.content, deps.limits, call.fileFields);
  const stored = form.files.map(({ key }) => key);
  let admitted: AdmittedTask;
  try {
    request.ledger?.setUser(endUserOfFields(form.fields));
    const prepared = prepareTask(deps, call, form);
    const { creation, decoded, choice } = prepared;
    const targets = enforceMaxCost(choice, prepared.maxCostUsd);
    const images: InputImage[] = [];
    for (const image of decoded.images) {
      images.push('base64' in image ? await storeInline(deps, image, stored) : image);
    }
    // A disconnected client cannot receive the response and will retry, so the task must not start.
    const stopped = abortReason(disconnected);
    if (stopped) throw stopped;
    if (disconnected.aborted)
      throw new GatewayError('invalid_request', 'The client disconnected before the request was complete.');
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
  if (admitted.replayed) {
    await discardContent(deps.content, stored);
    void reply.header('idempotent-replayed', 'true');
  }
  return admitted;
}

async function storeInline(deps: MediaDeps, inline: InlineImage, stored: string[]): Promise<InputImage> {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(inline.base64, 'base64');
  }
  const file = await storeImage(deps.content, bytes(), inline.param, 'input', deps.limits.upload_bytes);
  stored.push(file.key);
  const { sha256: _hash, field: _field, ...source } = file;
  return { role: inline.role, source: { kind: 'stored', ...source } };
}

function digestOf({ fields, files }: ReadForm): string {
  const parts = [fields ?? null, ...files.map(({ field, sha256 }) => [field, sha256])];
  return createHash('sha256').update(canonicalJson(parts)).digest('hex');
}

function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header === 'string' && /^[\x21-\x7e]([\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(header)) return header;
  throw new GatewayError('invalid_request', 'Idempotency-Key must be 1 to 255 printable ASCII characters.', {
    param: 'Idempotency-Key',
  });
}

/** Published SDKs report the number of their retries in this header (openai-node 7, `client.ts`). */
function readRetryCount(header: string | string[] | undefined): number {
  return typeof header === 'string' && /^\d{1,3}$/.test(header) ? Number(header) : 0;
}

/**
 * Whether the task may have been recorded even though the call failed. The engine marks this error as not retryable.
 */
function mayBeStored(error: unknown): boolean {
  return error instanceof GatewayError && error.code === 'store_unavailable' && !error.retryable;
}
