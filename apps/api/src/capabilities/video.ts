import { createHash } from 'node:crypto';
import { GatewayError, type InputImage, isFinal, type MediaTask, type VideoRequest } from '@sluice/canonical';
import type { ModelCatalog } from '@sluice/config';
import type { InlineImage, VideoEndpoint } from '@sluice/protocols';
import { type ContentStore, isTaskId, type TaskEngine } from '@sluice/tasks';
import type { Logger } from '@sluice/telemetry';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKey } from '../access/api-keys.ts';
import { findModel } from '../access/find-model.ts';
import { canonicalJson } from '../http/canonical-json.ts';
import { clientGone } from '../http/client-gone.ts';
import { preferredWait } from '../http/prefer.ts';
import { printable } from '../http/printable.ts';
import { type FormLimits, readForm, storePicture } from '../http/read-form.ts';
import { sendContent } from '../http/send-content.ts';

/** What videos are made with. */
export interface VideoRoom {
  engine: TaskEngine;
  content: ContentStore;
  catalog: ModelCatalog;
  /** Names of the upstreams that make videos. */
  videoUpstreams: ReadonlySet<string>;
  defaultModel: string | undefined;
  limits: FormLimits;
  /** Where clients reach the API; absent: as their requests name it. */
  publicUrl: string | undefined;
  /** Aborts when the process is asked to stop: whoever waits is answered with the task as it is. */
  stopping: AbortSignal;
  logger: Logger;
}

/** One call of a video endpoint. */
export interface VideoCall {
  endpoint: VideoEndpoint;
  apiKey: ApiKey;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Carries out a call; whatever it throws is answered in the protocol's shape. */
export function serveVideo(room: VideoRoom, call: VideoCall): Promise<unknown> {
  switch (call.endpoint.action) {
    case 'video.create':
      return createVideo(room, call);
    case 'video.list':
      return listVideos(room, call);
    case 'video.retrieve':
      return retrieveVideo(room, call);
    case 'video.delete':
      return deleteVideo(room, call);
    case 'video.cancel':
      return cancelVideo(room, call);
    case 'video.content':
      return downloadVideo(room, call);
  }
}

async function createVideo(room: VideoRoom, call: VideoCall): Promise<unknown> {
  const { endpoint, request, reply } = call;
  const gone = clientGone(reply);
  const idempotencyKey = readIdempotencyKey(request.headers['idempotency-key']);
  const waitSeconds = preferredWait(request.headers['prefer']);

  const form = await readForm(request, room.content, room.limits, endpoint.body?.fileFields ?? []);
  const stored: string[] = form.file ? [form.file.key] : [];
  let admitted;
  try {
    const { file } = form;
    const decoded = endpoint.protocol.decodeVideo({
      fields: form.fields ?? {},
      ...(file && { file: withoutHash(file) }),
    });
    const { model, targets, defaultSeconds } = chooseModel(room, call.apiKey, decoded.model);
    const images = [...decoded.request.images];
    for (const inline of decoded.inlineImages) images.push(await storeInline(room, inline, stored));
    const wish: VideoRequest = { ...decoded.request, images };
    // A client that has left gets no answer, so nothing may begin for it: its repeat is the one that counts.
    if (gone.aborted) throw new GatewayError('invalid_request', 'The client left before the request was complete.');
    admitted = await room.engine.submit({
      ownerId: call.apiKey.name,
      model,
      targets,
      request: wish,
      defaultSeconds,
      operation: endpoint.action,
      digest: digestOf(form.fields, file?.sha256),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      retryCount: readRetryCount(request.headers['x-stainless-retry-count']),
    });
  } catch (error) {
    // A task that may have been recorded needs its picture.
    if (!mayBeAdmitted(error)) await Promise.all(stored.map((key) => room.content.remove(key)));
    throw error;
  }
  if (admitted.replayed) {
    await Promise.all(stored.map((key) => room.content.remove(key)));
    void reply.header('idempotent-replayed', 'true');
  }

  let { task } = admitted;
  if (waitSeconds !== undefined) {
    task = await room.engine.waitForEnd(task, waitSeconds * 1_000, AbortSignal.any([gone, room.stopping]));
    void reply.header('preference-applied', `wait=${waitSeconds}`);
  }
  void reply.header('location', `${request.routeOptions.url ?? ''}/${task.id}`);
  return sendTask(room, call, task);
}

async function listVideos(room: VideoRoom, { endpoint, apiKey, request, reply }: VideoCall): Promise<unknown> {
  const listing = endpoint.protocol.decodeListing(request.query);
  if (listing.after !== undefined && !isTaskId(listing.after)) {
    throw new GatewayError('invalid_request', 'after is no id of a video. Leave it out to begin anew.', {
      param: 'after',
    });
  }
  const { tasks, hasMore } = await room.engine.list(apiKey.name, listing);
  return reply.send(endpoint.protocol.encodePage(tasks, hasMore, (id) => contentUrl(room, request, id)));
}

async function retrieveVideo(room: VideoRoom, call: VideoCall): Promise<unknown> {
  const task = await findTask(room, call);
  room.engine.hurry(task);
  return sendTask(room, call, task);
}

async function deleteVideo(room: VideoRoom, call: VideoCall): Promise<unknown> {
  const id = taskId(call.request);
  await room.engine.remove(call.apiKey.name, id);
  return call.reply.send(call.endpoint.protocol.encodeDeleted(id));
}

async function cancelVideo(room: VideoRoom, call: VideoCall): Promise<unknown> {
  return sendTask(room, call, await room.engine.cancel(call.apiKey.name, taskId(call.request)));
}

async function downloadVideo(room: VideoRoom, call: VideoCall): Promise<unknown> {
  const task = await findTask(room, call);
  const { variant = 'video' } = call.request.query as { variant?: string | string[] }; // all that a query can hold
  if (variant !== 'video') {
    throw new GatewayError(
      'not_found',
      `There is no variant ${printable(String(variant))} of this video; only \`video\`.`,
      {
        param: 'variant',
      },
    );
  }
  if (task.status !== 'completed' || !task.content) {
    room.engine.hurry(task);
    if (isFinal(task.status)) {
      throw new GatewayError('video_not_ready', 'The video has failed, so there is nothing to download.');
    }
    throw new GatewayError('video_not_ready', `The video is at ${task.progress} %. Retrieve it until it is completed.`);
  }
  return sendContent(call.reply, room.content, task.content, `${task.id}.mp4`, room.logger);
}

/** Answers with a task; while it is open, with hints when to look again. */
function sendTask(room: VideoRoom, { endpoint, request, reply }: VideoCall, task: MediaTask): FastifyReply {
  if (!isFinal(task.status)) {
    const pollAfterMs = room.engine.pollAfterMs(task);
    void reply.header('retry-after', Math.max(1, Math.ceil(pollAfterMs / 1_000)));
    // Read by the published Python SDK's `videos.poll`; without it a client asks every second.
    void reply.header('openai-poll-after-ms', Math.ceil(pollAfterMs));
  }
  return reply.send(endpoint.protocol.encodeVideo(task, contentUrl(room, request, task.id)));
}

async function findTask(room: VideoRoom, { apiKey, request }: VideoCall): Promise<MediaTask> {
  const id = taskId(request);
  const task = await room.engine.find(apiKey.name, id);
  if (!task) throw new GatewayError('video_not_found', `There is no video ${printable(id)}.`);
  return task;
}

function chooseModel(room: VideoRoom, apiKey: ApiKey, asked: string | undefined) {
  const model = asked ?? room.defaultModel;
  if (model === undefined) throw new GatewayError('invalid_request', 'model is required.', { param: 'model' });
  const found = findModel(room.catalog, apiKey, model);
  if (!found.targets.some(({ upstream }) => room.videoUpstreams.has(upstream))) {
    throw new GatewayError('invalid_request', `The model ${printable(model)} does not make videos.`, {
      param: 'model',
    });
  }
  return { model, targets: found.targets, defaultSeconds: found.model.default_seconds };
}

async function storeInline(room: VideoRoom, inline: InlineImage, stored: string[]): Promise<InputImage> {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(inline.base64, 'base64');
  }
  const file = await storePicture(room.content, bytes(), inline.param, 'input', room.limits.upload_bytes);
  stored.push(file.key);
  return { role: inline.role, source: { kind: 'stored', ...withoutHash(file) } };
}

function withoutHash<T extends { sha256: string }>({ sha256: _hash, ...file }: T): Omit<T, 'sha256'> {
  return file;
}

function digestOf(fields: unknown, fileHash: string | undefined): string {
  return createHash('sha256')
    .update(canonicalJson([fields ?? null, fileHash ?? null]))
    .digest('hex');
}

function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header === 'string' && /^[\x21-\x7e]([\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(header)) return header;
  throw new GatewayError('invalid_request', 'Idempotency-Key must have 1 to 255 printable characters.', {
    param: 'Idempotency-Key',
  });
}

/** How often a published SDK has repeated the request by itself (openai-node 7, `client.ts`). */
function readRetryCount(header: string | string[] | undefined): number {
  return typeof header === 'string' && /^\d{1,3}$/.test(header) ? Number(header) : 0;
}

/** Whether the task may be recorded although recording it failed, which the engine tells by forbidding a repeat. */
function mayBeAdmitted(error: unknown): boolean {
  return error instanceof GatewayError && error.code === 'store_unavailable' && !error.retryable;
}

function taskId(request: FastifyRequest): string {
  return (request.params as { task_id: string }).task_id; // the routes of videos name it so
}

function contentUrl({ publicUrl }: VideoRoom, request: FastifyRequest, id: string): string {
  const asked = request.host === '' ? '' : `${request.protocol}://${request.host}`;
  return `${publicUrl?.replace(/\/+$/, '') ?? asked}/v1/videos/${id}/content`;
}
