import {
  GATEWAY_MESSAGES,
  GatewayError,
  idempotencyKeyReused,
  type MediaRequest,
  type MediaTask,
} from '@sluice/canonical';
import type { Admission } from '../store/admission.ts';
import { priceFields, requestedNanos, requestedUnits } from '../store/task-price.ts';
import { newInputs } from '../store/stored-inputs.ts';
import { newTaskId } from '../store/task-id.ts';
import type { EngineContext } from './engine-context.ts';
import { exists } from './find-task.ts';
import { tagsOf } from './task-filter.ts';
import { openTaskLimit, overBudget } from './refused-admission.ts';
import type { AdmittedTask, NewTask } from './task-requests.ts';

export async function submitTask(context: EngineContext, newTask: NewTask): Promise<AdmittedTask> {
  const task = buildTask(context, newTask);
  const admitted = await context.store.admit(buildAdmission(context, task, newTask));
  switch (admitted.result) {
    case 'new':
      context.wake(admitted.dispatched);
      return { task, replayed: false, unusedInputs: admitted.unusedInputs };
    case 'replay': {
      const earlier = await context.store.load(admitted.id);
      if (earlier && exists(earlier, context.now())) return { task: earlier, replayed: true, unusedInputs: [] };
      throw new GatewayError(
        `${task.kind}_not_found`,
        'The task of this `Idempotency-Key` no longer exists. Use a new key.',
      );
    }
    case 'conflict':
      throw idempotencyKeyReused();
    case 'external_id_taken':
      throw new GatewayError('invalid_request', 'Another task has this external id. Choose an id that is not in use.', {
        param: 'external_task_id',
      });
    case 'open_task_limit':
      throw openTaskLimit(newTask);
    case 'over_budget':
      throw overBudget(newTask, maxNanosOf(newTask), admitted.balance);
  }
}

function buildTask({ settings, now, random, shard }: EngineContext, newTask: NewTask): MediaTask {
  const { request, targets, externalId, callback, origin, trace } = newTask;
  const target = targets[0];
  if (!target) throw new GatewayError('no_upstream', GATEWAY_MESSAGES.noUpstream);
  const createdAt = now();
  return {
    id: newTaskId(request.kind, createdAt, random, shard),
    kind: request.kind,
    ownerId: newTask.ownerId,
    status: 'queued',
    revision: 1,
    epoch: 0,
    model: newTask.model,
    progress: 0,
    seconds: newTask.seconds,
    size: request.size,
    seed: request.seed,
    ...(request.kind === 'image' && { delivery: request.delivery }),
    ...(externalId !== undefined && { externalId }),
    ...(callback && { callback }),
    ...(origin !== undefined && { origin }),
    ...(trace !== undefined && { trace }),
    ...newTask.options,
    ...(request.kind === 'video' && request.remix && { remixedFrom: request.remix.taskId }),
    outputs: [],
    prompt: request.prompt,
    createdAt,
    deadlineAt: createdAt + settings.queueDeadlineMs,
    upstream: target.upstream,
    route: 0,
    upstreamModel: target.model,
    attempt: 0,
    polls: 0,
    unclearPolls: 0,
    cancelRequested: false,
    deleted: false,
  };
}

function buildAdmission({ keys, settings }: EngineContext, task: MediaTask, newTask: NewTask): Admission {
  const { request, allowance, externalId } = newTask;
  const maxNanos = maxNanosOf(newTask);
  const tags = tagsOf(keys, task.ownerId, task);
  const fetchesInputs = request.images.some(({ source }) => source.kind === 'url');
  return {
    id: task.id,
    ownerId: task.ownerId,
    account: task.upstream,
    digest: newTask.digest,
    idempotencyKey: newTask.idempotencyKey,
    operation: newTask.operation,
    retryCount: newTask.retryCount,
    request,
    deadlineAt: task.deadlineAt,
    fetchesInputs,
    inputs: newInputs(keys, task.ownerId, request.images, settings),
    ...(allowance && { allowance }),
    ...(maxNanos !== undefined && { maxNanos }),
    ...(externalId !== undefined && { externalId }),
    tags,
    fields: { ...recordFields(task, newTask, fetchesInputs), ...(tags.length > 0 && { tags: tags.join(' ') }) },
  };
}

/** Returns the cost of the most expensive route, because every route may serve the task. */
function maxNanosOf({ request, seconds, targets }: Pick<NewTask, 'request' | 'seconds' | 'targets'>) {
  const units = requestedUnits(request, seconds);
  const costs = targets.flatMap(({ price }) => (price ? [requestedNanos(price, units)] : []));
  return costs.length === 0 ? undefined : Math.max(...costs);
}

/** Returns the fields that are stored in the record. The request is stored separately, and others are set later. */
function recordFields(task: MediaTask, newTask: NewTask, fetchesInputs: boolean): Admission['fields'] {
  const { targets, request, seconds, ledger } = newTask;
  const {
    prompt: _p,
    delivery: _d,
    cancelRequested: _c,
    deleted: _x,
    error: _e,
    outputs: _o,
    callback,
    labels,
    ...fields
  } = task;
  const defined = Object.entries({
    ...fields,
    labels: labels && JSON.stringify(labels),
    callbackUrl: callback?.url,
    callbackShape: callback?.shape,
    targets: JSON.stringify(targets),
    ...(targets[0]?.price && priceFields(targets[0].price)),
    units: requestedUnits(request, seconds),
    usage: JSON.stringify(requestedTraits(request)),
    ledger,
    setbacks: 0,
    inputsPending: fetchesInputs ? 1 : 0,
  }).filter((field): field is [string, string | number] => field[1] !== undefined);
  return Object.fromEntries(defined);
}

/** Returns the members of a ledger entry's `usage` on which the price depends. */
function requestedTraits(request: MediaRequest): Record<string, unknown> {
  return request.kind === 'video'
    ? { resolution: request.resolution ?? request.size, hasAudio: request.audio }
    : { imageSize: request.size, imageQuality: request.quality };
}
