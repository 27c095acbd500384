import { GatewayError, type MediaTask, type VideoRequest } from '@sluice/canonical';
import type { TaskView, VideoEndpoint, VideoLibraryProtocol, VideoProtocol } from '@sluice/protocols';
import { isTaskId, type TaskTarget } from '@sluice/tasks';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKey } from '../access/api-keys.ts';
import { clientGone } from '../http/client-gone.ts';
import { preferredWait } from '../http/prefer.ts';
import { printable } from '../http/printable.ts';
import { createTask } from '../media/create-task.ts';
import { downloadFile } from '../media/download-file.ts';
import type { MediaRoom } from '../media/media-room.ts';
import { sendTaskEvents } from '../media/task-events.ts';
import { tellWhenToLook } from '../media/tell-when-to-look.ts';

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
export function serveVideo(room: MediaRoom, { endpoint, ...call }: VideoCall): Promise<unknown> {
  switch (endpoint.action) {
    case 'video.create':
      return createVideo(room, { ...call, protocol: endpoint.protocol }, endpoint.body?.fileFields ?? []);
    case 'video.retrieve':
      return retrieveVideo(room, { ...call, protocol: endpoint.protocol });
    case 'video.remix':
      return remixVideo(room, { ...call, protocol: endpoint.protocol });
    case 'video.list':
      return listVideos(room, { ...call, protocol: endpoint.protocol });
    case 'video.delete':
      return deleteVideo(room, { ...call, protocol: endpoint.protocol });
    case 'video.cancel':
      return cancelVideo(room, { ...call, protocol: endpoint.protocol });
    case 'video.events':
      return followVideo(room, { ...call, protocol: endpoint.protocol });
    case 'video.content':
      return downloadFile(room, { ...call, kind: 'video', owner: call.apiKey.name });
  }
}

async function createVideo(
  room: MediaRoom,
  call: Call<VideoProtocol>,
  fileFields: readonly string[],
  remix?: { of: MediaTask; targets: TaskTarget[] },
): Promise<unknown> {
  const { protocol, request, reply } = call;
  const gone = clientGone(reply);
  const waitSeconds = preferredWait(request.headers['prefer']);
  const admitted = await createTask<VideoRequest>(room, {
    ...call,
    fileFields,
    operation: `${protocol.name}.create${remix ? `.remix.${remix.of.id}` : ''}`,
    fieldNames: protocol.fieldNames,
    callbackShape: protocol.callbackShape,
    kind: 'video',
    decode: (form) => protocol.decodeVideo(form),
    complete: (wish, images) => ({ ...wish, images }),
    gone,
    ...(remix && { targets: remix.targets, usualSeconds: remix.of.seconds }),
  });
  let { task } = admitted;
  if (waitSeconds !== undefined) {
    task = await room.engine.waitForEnd(task, waitSeconds * 1_000, AbortSignal.any([gone, room.stopping]));
    void reply.header('preference-applied', `wait=${waitSeconds}`);
  }
  if (!protocol.decodeTaskId) void reply.header('location', `${retrievalPath(request)}/${task.id}`);
  tellWhenToLook(room, reply, task);
  return reply.send(protocol.encodeCreated(task, viewOf(room, call, task)));
}

/** Where a task made by this call is retrieved: the path without its end, for those that are made below another task. */
function retrievalPath({ routeOptions }: FastifyRequest): string {
  return (routeOptions.url ?? '').replace(/\/:task_id\/remix$/, '');
}

/** A remix stays with the account and the model that made the original: nobody else has the video. */
async function remixVideo(room: MediaRoom, call: Call<VideoLibraryProtocol>): Promise<unknown> {
  const of = await findTask(room, call);
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
  return createVideo(room, { ...call, protocol: { ...protocol, decodeVideo } }, [], { of, targets });
}

async function listVideos(room: MediaRoom, call: Call<VideoLibraryProtocol>): Promise<unknown> {
  const { protocol, apiKey, request, reply } = call;
  const listing = protocol.decodeListing(request.query);
  if (listing.after !== undefined && !(isTaskId(listing.after) && listing.after.startsWith('video_'))) {
    throw new GatewayError('invalid_request', 'after is no id of a video. Leave it out to begin anew.', {
      param: 'after',
    });
  }
  const { tasks, hasMore } = await room.engine.list(apiKey.name, { kind: 'video', ...listing });
  return reply.send(protocol.encodePage(tasks, hasMore, (task) => viewOf(room, call, task)));
}

async function retrieveVideo(room: MediaRoom, call: Call<VideoProtocol>): Promise<unknown> {
  const { protocol, reply } = call;
  const { id, task } = await lookUp(room, call);
  if (!task) {
    if (!protocol.encodeMissing) throw noVideo(id);
    return reply.send(protocol.encodeMissing(viewOf(room, call)));
  }
  room.engine.hurry(task);
  tellWhenToLook(room, reply, task);
  const status = protocol.statusOf?.(task) ?? 200;
  // A task that has failed will not do better when it is asked for again.
  if (status >= 400) void reply.header('x-should-retry', 'false');
  return reply.code(status).send(protocol.encodeVideo(task, viewOf(room, call, task)));
}

async function deleteVideo(room: MediaRoom, call: Call<VideoLibraryProtocol>): Promise<unknown> {
  const { id } = await findTask(room, call);
  await room.engine.remove(call.apiKey.name, id);
  return call.reply.send(call.protocol.encodeDeleted(id));
}

async function cancelVideo(room: MediaRoom, call: Call<VideoLibraryProtocol>): Promise<unknown> {
  const { id } = await findTask(room, call);
  const task = await room.engine.cancel(call.apiKey.name, id);
  tellWhenToLook(room, call.reply, task);
  return call.reply.send(call.protocol.encodeVideo(task, viewOf(room, call, task)));
}

async function followVideo(room: MediaRoom, call: Call<VideoLibraryProtocol>): Promise<unknown> {
  const { protocol, request, reply } = call;
  const after = protocol.decodeFollowing(request.query, request.headers['last-event-id']?.toString());
  const task = await findTask(room, call);
  const encode = (revision: number, now: MediaTask) => protocol.encodeEvent(revision, now, viewOf(room, call, now));
  return sendTaskEvents(room, { request, reply, task, after, encode });
}

function viewOf(room: MediaRoom, { request, reply }: Pick<VideoCall, 'request' | 'reply'>, task?: MediaTask): TaskView {
  return {
    contentUrl: task?.status === 'completed' ? room.links.linkTo(request, task, 0) : '',
    requestId: request.id,
    elapsedMs: reply.elapsedTime,
  };
}

/** @throws GatewayError `video_not_found` */
async function findTask(room: MediaRoom, call: Call<VideoProtocol>): Promise<MediaTask> {
  const { id, task } = await lookUp(room, call);
  if (task) return task;
  throw noVideo(id);
}

function noVideo(id: string): GatewayError {
  return new GatewayError('video_not_found', `There is no video ${printable(id)}.`);
}

async function lookUp({ engine }: MediaRoom, { apiKey, request, protocol }: Call<VideoProtocol>) {
  const { task_id: inPath = '' } = request.params as { task_id?: string }; // so named in every path that has one
  const id = protocol.decodeTaskId?.(request.body) ?? inPath;
  const byName = protocol.takesExternalIds === true && !isTaskId(id);
  const task = byName ? await engine.findByExternalId(apiKey.name, id) : await engine.find(apiKey.name, id);
  return { id, task: task?.kind === 'video' ? task : undefined };
}
