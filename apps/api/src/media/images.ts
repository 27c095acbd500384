import { GatewayError, type ImageRequest, isFinal, type MediaTask } from '@sluice/canonical';
import { deliveryOf, type ImageEndpoint, type ImageProtocol, type ImageParams } from '@sluice/protocols';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKey } from '../auth/api-keys.ts';
import { clientDisconnected } from '../http/client-disconnected.ts';
import { abortReason } from '../http/abort-requests.ts';
import { prefersAsync, preferredWait } from '../http/prefer-header.ts';
import { printable } from '../http/printable.ts';
import { createTask } from './create-task.ts';
import { downloadFile } from './download-file.ts';
import type { MediaDeps } from './media-services.ts';
import { sendImages } from './send-images.ts';
import { setPollingHeaders } from './polling-headers.ts';

/** One call of an image endpoint. */
export interface ImageCall {
  endpoint: ImageEndpoint;
  apiKey: ApiKey;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Where an image task is retrieved, whichever path made it. */
const TASKS = '/v1/images/generations';

/** Carries out a call; whatever it throws is answered in the protocol's shape. */
export function serveImage(deps: MediaDeps, call: ImageCall): Promise<unknown> {
  switch (call.endpoint.action) {
    case 'image.create':
      return createImages(deps, call);
    case 'image.retrieve':
      return retrieveImages(deps, call);
    case 'image.content':
      return downloadFile(deps, { ...call, kind: 'image', owner: call.apiKey.name });
  }
}

/**
 * Makes an image task and answers when it has ended: a client of this protocol expects its images in the answer. One
 * that prefers not to wait, or to wait for less, gets the task.
 */
async function createImages(deps: MediaDeps, call: ImageCall): Promise<unknown> {
  const { endpoint, request, reply } = call;
  const { protocol } = endpoint;
  const gone = clientDisconnected(reply);
  const prefer = request.headers['prefer'];
  const waitSeconds = preferredWait(prefer);
  const isAsync = prefersAsync(prefer);
  const admitted = await createTask<ImageRequest, ImageParams>(deps, {
    ...call,
    fileFields: endpoint.body?.fileFields ?? [],
    operation: `${protocol.name}.${endpoint.operationId}`,
    fieldNames: protocol.fieldNames,
    kind: 'image',
    decode: (form) => protocol.decodeImage(form),
    complete: (params, images, models) => ({ ...params, images, delivery: deliveryOf(models, params.delivery) }),
    gone,
  });
  void reply.header('location', `${TASKS}/${admitted.task.id}`);
  const applied = [isAsync && 'respond-async', waitSeconds !== undefined && `wait=${waitSeconds}`].filter(Boolean);
  if (applied.length > 0) void reply.header('preference-applied', applied.join(', '));

  const waitMs = waitSeconds === undefined ? (isAsync ? 0 : deps.imageWaitMs) : waitSeconds * 1_000;
  // A process that stops waits as well, as long as it can: what comes meanwhile is paid for.
  const task = waitMs === 0 ? admitted.task : await deps.engine.waitForEnd(admitted.task, waitMs, gone);
  if (isFinal(task.status)) return responseEnded(deps, protocol, task, call);
  if (applied.length > 0) return sendTask(deps, protocol, task, reply.code(202));
  if (abortReason(gone)) throw cutOff(task, request.headers['idempotency-key'] !== undefined);
  throw new GatewayError(
    'deadline_exceeded',
    `The image task ${task.id} has not ended yet. It goes on: GET ${TASKS}/${task.id} until it is completed.`,
    { retryable: false },
  );
}

/** @param isKeyed whether a repeat finds the same task */
function cutOff({ id }: MediaTask, isKeyed: boolean): GatewayError {
  const how = isKeyed ? 'Send the request again with its Idempotency-Key' : `Look again at GET ${TASKS}/${id}`;
  const what = `The server stops before the image task ${id} has ended. ${how}: it tells what became of the task.`;
  return new GatewayError('store_unavailable', what, { retryable: isKeyed });
}

function responseEnded(deps: MediaDeps, protocol: ImageProtocol, task: MediaTask, call: ImageCall): Promise<unknown> {
  if (task.status === 'completed') return sendImages(deps, protocol, task, call);
  const { code, message } = task.error ?? { code: 'provider_error', message: 'The image could not be made.' };
  // A repeat would be another task, and paid for again: that is for the client to decide.
  throw new GatewayError(code, message, { retryable: false });
}

async function retrieveImages(deps: MediaDeps, call: ImageCall): Promise<unknown> {
  const { task_id: id } = call.request.params as { task_id: string }; // so named in the path
  const task = await deps.engine.find(call.apiKey.name, id);
  if (task?.kind !== 'image') throw new GatewayError('image_not_found', `There is no image task ${printable(id)}.`);
  const { protocol } = call.endpoint;
  if (task.status === 'completed') return sendImages(deps, protocol, task, call);
  deps.engine.hurry(task);
  return sendTask(deps, protocol, task, call.reply);
}

function sendTask(deps: MediaDeps, protocol: ImageProtocol, task: MediaTask, reply: FastifyReply): FastifyReply {
  setPollingHeaders(deps, reply, task);
  return reply.send(protocol.encodeImageTask(task));
}
