import { GatewayError, type MediaTask, type VideoRequest } from '@sluice/canonical';
import type { TaskView, VideoEndpoint, VideoLibraryProtocol, VideoProtocol } from '@sluice/protocols';
import { isTaskId, type TaskTarget } from '@sluice/tasks';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKey } from '../auth/api-keys.ts';
import { clientDisconnected } from '../http/client-disconnected.ts';
import { preferredWait } from '../http/prefer-header.ts';
import { printable } from '../http/printable.ts';
import { createTask } from './create-task.ts';
import { downloadFile } from './download-file.ts';
import type { MediaDeps } from './media-services.ts';
import { sendTaskEvents } from './task-events.ts';
import { setPollingHeaders } from './polling-headers.ts';

/** One call of a video endpoint. */
export interface VideoCall {
  endpoint: VideoEndpoint;
  apiKey: ApiKey;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** A call, without its endpoint, and the protocol that spells it. */
type Call<P extends VideoProtocol> = Omit<VideoCall, 'endpoint'> & { protocol: P };

/** Carries out a call; whatever it throws is answered in the protocol's shape. */
export function serveVideo(deps: MediaDeps, { endpoint, ...call }: VideoCall): Promise<unknown> {
  switch (endpoint.action) {
    case 'video.create':
      return createVideo(deps, { ...call, protocol: endpoint.protocol }, endpoint.body?.fileFields ?? []);
    case 'video.retrieve':
      return retrieveVideo(deps, { ...call, protocol: endpoint.protocol });
    case 'video.remix':
      return remixVideo(deps, { ...call, protocol: endpoint.protocol });
    case 'video.list':
      return listVideos(deps, { ...call, protocol: endpoint.protocol });
    case 'video.delete':
      return deleteVideo(deps, { ...call, protocol: endpoint.protocol });
    case 'video.cancel':
      return cancelVideo(deps, { ...call, protocol: endpoint.protocol });
    case 'video.events':
      return followVideo(deps, { ...call, protocol: endpoint.protocol });
    case 'video.content':
      return downloadFile(deps, { ...call, kind: 'video', owner: call.apiKey.name });
  }
}

async function createVideo(
  deps: MediaDeps,
  call: Call<VideoProtocol>,
  fileFields: readonly string[],
  remix?: { of: MediaTask; targets: TaskTarget[] },
): Promise<unknown> {
  const { protocol, request, reply } = call;
  const gone = clientDisconnected(reply);
  const waitSeconds = preferredWait(request.headers['prefer']);
  const admitted = await createTask<VideoRequest>(deps, {
    ...call,
    fileFields,
    operation: `${protocol.name}.create${remix ? `.remix.${remix.of.id}` : ''}`,
    fieldNames: protocol.fieldNames,
    callbackShape: protocol.callbackShape,
    kind: 'video',
    decode: (form) => protocol.decodeVideo(form),
    complete: (params, images) => ({ ...params, images }),
    gone,
    ...(remix && { targets: remix.targets, usualSeconds: remix.of.seconds }),
  });
  let { task } = admitted;
  if (waitSeconds !== undefined) {
    task = await deps.engine.waitForEnd(task, waitSeconds * 1_000, AbortSignal.any([gone, deps.stopping]));
    void reply.header('preference-applied', `wait=${waitSeconds}`);
  }
  if (!protocol.decodeTaskId) void reply.header('location', `${retrievalPath(request)}/${task.id}`);
  setPollingHeaders(deps, reply, task);
  return reply.send(protocol.encodeCreated(task, viewOf(deps, call, task)));
}

/** Where a task made by this call is retrieved: the path without its end, for those that are made below another task. */
function retrievalPath({ routeOptions }: FastifyRequest): string {
  return (routeOptions.url ?? '').replace(/\/:task_id\/remix$/, '');
}

/** A remix stays with the account and the model that made the original: nobody else has the video. */
async function remixVideo(deps: MediaDeps, call: Call<VideoLibraryProtocol>): Promise<unknown> {
  const of = await findTask(deps, call);
  if (of.status !== 'completed' || of.upstreamId === undefined) {
    throw new GatewayError('video_not_ready', 'Only a video that is completed can be remixed.');
  }
  const { protocol } = call;
  const remix = { taskId: of.id, upstreamId: of.upstreamId };
  const decodeVideo: VideoProtocol['decodeVideo'] = ({ fields }) => {
    const { prompt, ...callback } = protocol.decodeRemix(fields);
    return { model: of.model, request: { kind: 'video', prompt, remix }, images: [], ...callback };
  };
  const targets = [{ upstream: of.upstream, model: of.upstreamModel }];
  return createVideo(deps, { ...call, protocol: { ...protocol, decodeVideo } }, [], { of, targets });
}

async function listVideos(deps: MediaDeps, call: Call<VideoLibraryProtocol>): Promise<unknown> {
  const { protocol, apiKey, request, reply } = call;
  const listing = protocol.decodeListing(request.query);
  if (listing.after !== undefined && !(isTaskId(listing.after) && listing.after.startsWith('video_'))) {
    throw new GatewayError('invalid_request', 'after is no id of a video. Leave it out to begin anew.', {
      param: 'after',
    });
  }
  const { tasks, hasMore } = await deps.engine.list(apiKey.name, { kind: 'video', ...listing });
  return reply.send(protocol.encodePage(tasks, hasMore, (task) => viewOf(deps, call, task)));
}

async function retrieveVideo(deps: MediaDeps, call: Call<VideoProtocol>): Promise<unknown> {
  const { protocol, reply } = call;
  const { id, task } = await findById(deps, call);
  if (!task) {
    if (!protocol.encodeMissing) throw videoNotFound(id);
    return reply.send(protocol.encodeMissing(viewOf(deps, call)));
  }
  deps.engine.hurry(task);
  setPollingHeaders(deps, reply, task);
  const status = protocol.statusOf?.(task) ?? 200;
  // A task that has failed will not do better when it is asked for again.
  if (status >= 400) void reply.header('x-should-retry', 'false');
  return reply.code(status).send(protocol.encodeVideo(task, viewOf(deps, call, task)));
}

async function deleteVideo(deps: MediaDeps, call: Call<VideoLibraryProtocol>): Promise<unknown> {
  const { id } = await findTask(deps, call);
  await deps.engine.remove(call.apiKey.name, id);
  return call.reply.send(call.protocol.encodeDeleted(id));
}

async function cancelVideo(deps: MediaDeps, call: Call<VideoLibraryProtocol>): Promise<unknown> {
  const { id } = await findTask(deps, call);
  const task = await deps.engine.cancel(call.apiKey.name, id);
  setPollingHeaders(deps, call.reply, task);
  return call.reply.send(call.protocol.encodeVideo(task, viewOf(deps, call, task)));
}

async function followVideo(deps: MediaDeps, call: Call<VideoLibraryProtocol>): Promise<unknown> {
  const { protocol, request, reply } = call;
  const after = protocol.decodeFollowing(request.query, request.headers['last-event-id']?.toString());
  const task = await findTask(deps, call);
  const encode = (revision: number, now: MediaTask) => protocol.encodeEvent(revision, now, viewOf(deps, call, now));
  return sendTaskEvents(deps, { request, reply, task, after, encode });
}

function viewOf(deps: MediaDeps, { request, reply }: Pick<VideoCall, 'request' | 'reply'>, task?: MediaTask): TaskView {
  return {
    contentUrl: task?.status === 'completed' ? deps.links.linkTo(request, task, 0) : '',
    requestId: request.id,
    elapsedMs: reply.elapsedTime,
  };
}

/** @throws GatewayError `video_not_found` */
async function findTask(deps: MediaDeps, call: Call<VideoProtocol>): Promise<MediaTask> {
  const { id, task } = await findById(deps, call);
  if (task) return task;
  throw videoNotFound(id);
}

function videoNotFound(id: string): GatewayError {
  return new GatewayError('video_not_found', `There is no video ${printable(id)}.`);
}

async function findById({ engine }: MediaDeps, { apiKey, request, protocol }: Call<VideoProtocol>) {
  const { task_id: inPath = '' } = request.params as { task_id?: string }; // so named in every path that has one
  const id = protocol.decodeTaskId?.(request.body) ?? inPath;
  const byName = protocol.takesExternalIds === true && !isTaskId(id);
  const task = byName ? await engine.findByExternalId(apiKey.name, id) : await engine.find(apiKey.name, id);
  return { id, task: task?.kind === 'video' ? task : undefined };
}
