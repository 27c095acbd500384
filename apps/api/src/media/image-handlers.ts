import { GatewayError, type ImageRequest, isFinal, type MediaTask, UPSTREAM_MESSAGES } from '@sluice/canonical';
import {
  decodeDryRun,
  deliveryOf,
  type ImageAction,
  type ImageEndpoint,
  type ImageParams,
  type ImageProtocol,
} from '@sluice/protocols';
import type { FastifyReply } from 'fastify';
import type { ClientCall, EndpointHandlers } from '../auth/client-call.ts';
import { abortReason } from '../http/abort-requests.ts';
import { clientDisconnected } from '../http/client-disconnected.ts';
import { prefersAsync, preferredWait } from '../http/prefer-header.ts';
import { createTask } from './create-task.ts';
import { estimateTask } from './estimate-task.ts';
import type { MediaDeps } from './media-deps.ts';
import { setPollingHeaders } from './polling-headers.ts';
import type { TaskCreation } from './prepare-task.ts';
import { sendImages } from './send-images.ts';
import { contentHandler } from './serve-content.ts';
import { taskNotFound } from './task-not-found.ts';

type ImageCall = ClientCall<ImageEndpoint>;

const TASKS = '/v1/images/generations';

export function imageHandlers(deps: MediaDeps): EndpointHandlers<ImageAction> {
  return {
    'image.create': { serve: (call) => createImages(deps, call) },
    'image.retrieve': { serve: (call) => retrieveImages(deps, call) },
    'image.content': contentHandler(deps, 'image'),
  };
}

/** Responds with the finished images, or with the task if the client prefers not to wait. */
async function createImages(deps: MediaDeps, call: ImageCall): Promise<unknown> {
  const { endpoint, request, reply } = call;
  const { protocol } = endpoint;
  const disconnected = clientDisconnected(reply);
  const prefer = request.headers['prefer'];
  const waitSeconds = preferredWait(prefer);
  const isAsync = prefersAsync(prefer);
  const creation: TaskCreation<ImageRequest, ImageParams> = {
    ...call,
    fileFields: endpoint.body?.fileFields ?? [],
    operation: `${protocol.name}.${endpoint.operationId}`,
    fieldNames: protocol.fieldNames,
    kind: 'image',
    decode: (form) => protocol.decodeImage(form),
    complete: (params, images, models) => ({ ...params, images, delivery: deliveryOf(models, params.delivery) }),
    disconnected,
  };
  if (decodeDryRun(request.query)) return reply.send(await estimateTask(deps, creation));
  const created = await createTask(deps, creation);
  void reply.header('location', `${TASKS}/${created.task.id}`);
  const applied = [isAsync && 'respond-async', waitSeconds !== undefined && `wait=${waitSeconds}`].filter(Boolean);
  if (applied.length > 0) void reply.header('preference-applied', applied.join(', '));

  const waitMs = waitSeconds === undefined ? (isAsync ? 0 : deps.imageWaitMs) : waitSeconds * 1_000;
  // `stopping` does not abort this wait, because images that finish in the meantime have already been paid for.
  const task = waitMs === 0 ? created.task : await deps.engine.waitForEnd(created.task, waitMs, disconnected);
  if (isFinal(task.status)) return sendEnded(deps, protocol, task, call);
  if (applied.length > 0) return sendTask(deps.engine, protocol, task, reply.code(202));
  if (abortReason(disconnected)) throw stoppedBefore(task, request.headers['idempotency-key'] !== undefined);
  throw new GatewayError(
    'deadline_exceeded',
    `The image task \`${task.id}\` has not ended yet and continues. Retrieve it with GET ${TASKS}/${task.id}.`,
    { retryable: false },
  );
}

function stoppedBefore({ id }: MediaTask, isKeyed: boolean): GatewayError {
  const remedy = isKeyed
    ? 'Retry the request with its `Idempotency-Key`.'
    : `Retrieve the task with GET ${TASKS}/${id}.`;
  const what = `The server stopped before the image task \`${id}\` ended. ${remedy}`;
  return new GatewayError('store_unavailable', what, { retryable: isKeyed });
}

function sendEnded(deps: MediaDeps, protocol: ImageProtocol, task: MediaTask, call: ImageCall): Promise<unknown> {
  if (task.status === 'completed') return sendImages(deps, protocol, task, call);
  const { code, message } = task.error ?? { code: 'provider_error', message: UPSTREAM_MESSAGES.noContent };
  // A retry would create and bill another task, so the client must decide.
  throw new GatewayError(code, message, { retryable: false });
}

async function retrieveImages(deps: MediaDeps, call: ImageCall): Promise<unknown> {
  const { task_id: id } = call.request.params as { task_id: string };
  const task = await deps.engine.find(call.apiKey.name, id);
  if (task?.kind !== 'image') throw taskNotFound('image', id);
  const { protocol } = call.endpoint;
  if (task.status === 'completed') return sendImages(deps, protocol, task, call);
  deps.engine.pollSoon(task);
  return sendTask(deps.engine, protocol, task, call.reply);
}

function sendTask(
  engine: MediaDeps['engine'],
  protocol: ImageProtocol,
  task: MediaTask,
  reply: FastifyReply,
): FastifyReply {
  setPollingHeaders(engine, reply, task);
  return reply.send(protocol.encodeImageTask(task));
}
