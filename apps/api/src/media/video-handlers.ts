import { GatewayError, type MediaTask, publicStatus, TASK_STATUSES, type VideoRequest } from '@sluice/canonical';
import {
  decodeDryRun,
  type TaskView,
  type VideoAction,
  type VideoEndpoint,
  type VideoLibraryAction,
  type VideoLibraryProtocol,
  type VideoProtocol,
} from '@sluice/protocols';
import { isTaskId, type TaskTarget } from '@sluice/tasks';
import type { FastifyRequest } from 'fastify';
import type { ClientCall, EndpointHandler, EndpointHandlers } from '../auth/client-call.ts';
import { clientDisconnected } from '../http/client-disconnected.ts';
import { preferredWait } from '../http/prefer-header.ts';
import { printable } from '../http/printable.ts';
import { createTask } from './create-task.ts';
import { estimateTask } from './estimate-task.ts';
import type { MediaDeps } from './media-deps.ts';
import { setPollingHeaders } from './polling-headers.ts';
import type { TaskCreation } from './prepare-task.ts';
import { contentHandler } from './serve-content.ts';
import { sendTaskEvents } from './task-events.ts';
import { taskNotFound } from './task-not-found.ts';

type Call<P extends VideoProtocol> = Omit<ClientCall, 'endpoint'> & { protocol: P };

export function videoHandlers(deps: MediaDeps): EndpointHandlers<VideoAction | VideoLibraryAction> {
  return {
    'video.create': handler((call, fileFields) => createVideo(deps, call, fileFields)),
    'video.retrieve': handler((call) => retrieveVideo(deps, call)),
    'video.remix': handler((call) => remixVideo(deps, call)),
    'video.list': handler((call) => listVideos(deps, call)),
    'video.delete': handler((call) => deleteVideo(deps, call)),
    'video.cancel': handler((call) => cancelVideo(deps, call)),
    'video.events': handler((call) => followVideo(deps, call)),
    'video.content': contentHandler(deps, 'video'),
  };
}

function handler<E extends VideoEndpoint>(
  serve: (call: Call<E['protocol']>, fileFields: readonly string[]) => Promise<unknown>,
): EndpointHandler<E> {
  return {
    serve: ({ endpoint, ...call }) => {
      const protocol: E['protocol'] = endpoint.protocol;
      protocol.checkQuery?.(call.request.query);
      return serve({ ...call, protocol }, endpoint.body?.fileFields ?? []);
    },
  };
}

interface Remix {
  original: MediaTask;
  targets: TaskTarget[];
}

async function createVideo(
  deps: MediaDeps,
  call: Call<VideoProtocol>,
  fileFields: readonly string[],
  remix?: Remix,
): Promise<unknown> {
  const { protocol, request, reply } = call;
  const disconnected = clientDisconnected(reply);
  const waitSeconds = preferredWait(request.headers['prefer']);
  const creation: TaskCreation<VideoRequest> = {
    ...call,
    fileFields,
    operation: `${protocol.name}.create${remix ? `.remix.${remix.original.id}` : ''}`,
    fieldNames: protocol.fieldNames,
    callbackShape: protocol.callbackShape,
    kind: 'video',
    decode: (form) => protocol.decodeVideo(form),
    complete: (params, images) => ({ ...params, images }),
    disconnected,
    ...(remix && { targets: remix.targets, usualSeconds: remix.original.seconds }),
  };
  if (decodeDryRun(request.query)) return reply.send(await estimateTask(deps, creation));
  let { task } = await createTask(deps, creation);
  if (waitSeconds !== undefined) {
    task = await deps.engine.waitForEnd(task, waitSeconds * 1_000, AbortSignal.any([disconnected, deps.stopping]));
    void reply.header('preference-applied', `wait=${waitSeconds}`);
  }
  if (!protocol.decodeTaskId) void reply.header('location', `${retrievalPath(request)}/${task.id}`);
  setPollingHeaders(deps.engine, reply, task);
  return reply.send(protocol.encodeCreated(task, viewOf(deps.links, call, task)));
}

/** Returns the path for retrieving the created task. A remix is created at a subpath, which is removed. */
function retrievalPath({ routeOptions }: FastifyRequest): string {
  return (routeOptions.url ?? '').replace(/\/:task_id\/remix$/, '');
}

/** A remix must use the same account and model as the original, because only they can access the original video. */
async function remixVideo(deps: MediaDeps, call: Call<VideoLibraryProtocol>): Promise<unknown> {
  const original = await findTask(deps.engine, call);
  if (original.status !== 'completed' || original.upstreamId === undefined) {
    throw new GatewayError('video_not_ready', 'Only a completed video can be remixed. Poll it until it is completed.');
  }
  const { protocol } = call;
  const remix = { taskId: original.id, upstreamId: original.upstreamId };
  const decodeVideo: VideoProtocol['decodeVideo'] = ({ fields }) => {
    const { prompt, ...callback } = protocol.decodeRemix(fields);
    return { model: original.model, request: { kind: 'video', prompt, remix }, images: [], ...callback };
  };
  const targets = [{ upstream: original.upstream, model: original.upstreamModel }];
  return createVideo(deps, { ...call, protocol: { ...protocol, decodeVideo } }, [], { original, targets });
}

async function listVideos(
  { engine, links }: Pick<MediaDeps, 'engine' | 'links'>,
  call: Call<VideoLibraryProtocol>,
): Promise<unknown> {
  const { protocol, apiKey, request, reply } = call;
  const listing = protocol.decodeListing(request.query);
  if (listing.after !== undefined && !(isTaskId(listing.after) && listing.after.startsWith('video_'))) {
    const what = `\`after\` must be the id of a video; got ${printable(listing.after)}. Remove it to start at the first page.`;
    throw new GatewayError('invalid_request', what, { param: 'after' });
  }
  const { status, user, labels, ...page } = listing;
  const statuses = status && TASK_STATUSES.filter((one) => publicStatus(one) === status);
  const isFiltered = statuses ?? user ?? labels;
  const filter = isFiltered === undefined ? {} : { filter: { statuses, user, labels } };
  const { tasks, next } = await engine.list(apiKey.name, { kind: 'video', ...page, ...filter });
  return reply.send(protocol.encodePage(tasks, next, (task) => viewOf(links, call, task)));
}

async function retrieveVideo(
  { engine, links }: Pick<MediaDeps, 'engine' | 'links'>,
  call: Call<VideoProtocol>,
): Promise<unknown> {
  const { protocol, reply } = call;
  const { id, task } = await findById(engine, call);
  if (!task) {
    if (!protocol.encodeMissing) throw taskNotFound('video', id);
    return reply.send(protocol.encodeMissing(viewOf(links, call)));
  }
  engine.pollSoon(task);
  setPollingHeaders(engine, reply, task);
  const status = protocol.statusOf?.(task) ?? 200;
  // A failed task stays failed, so the SDK must not retry.
  if (status >= 400) void reply.header('x-should-retry', 'false');
  return reply.code(status).send(protocol.encodeVideo(task, viewOf(links, call, task)));
}

async function deleteVideo({ engine }: Pick<MediaDeps, 'engine'>, call: Call<VideoLibraryProtocol>): Promise<unknown> {
  const { id } = await findTask(engine, call);
  await engine.remove(call.apiKey.name, id);
  return call.reply.send(call.protocol.encodeDeleted(id));
}

async function cancelVideo(
  { engine, links }: Pick<MediaDeps, 'engine' | 'links'>,
  call: Call<VideoLibraryProtocol>,
): Promise<unknown> {
  const { id } = await findTask(engine, call);
  const task = await engine.cancel(call.apiKey.name, id);
  setPollingHeaders(engine, call.reply, task);
  return call.reply.send(call.protocol.encodeVideo(task, viewOf(links, call, task)));
}

async function followVideo(deps: MediaDeps, call: Call<VideoLibraryProtocol>): Promise<unknown> {
  const { protocol, request, reply } = call;
  const after = protocol.decodeFollowing(request.query, request.headers['last-event-id']?.toString());
  const task = await findTask(deps.engine, call);
  const encode = (revision: number, current: MediaTask) =>
    protocol.encodeEvent(revision, current, viewOf(deps.links, call, current));
  return sendTaskEvents(deps, { request, reply, task, after, encode });
}

function viewOf(
  links: MediaDeps['links'],
  { request, reply }: Pick<ClientCall, 'request' | 'reply'>,
  task?: MediaTask,
): TaskView {
  return {
    contentUrl: task?.status === 'completed' ? links.linkTo(request, task, 0) : '',
    requestId: request.id,
    elapsedMs: reply.elapsedTime,
  };
}

async function findTask(engine: MediaDeps['engine'], call: Call<VideoProtocol>): Promise<MediaTask> {
  const { id, task } = await findById(engine, call);
  if (task) return task;
  throw taskNotFound('video', id);
}

async function findById(engine: MediaDeps['engine'], { apiKey, request, protocol }: Call<VideoProtocol>) {
  const { task_id: pathId = '' } = request.params as { task_id?: string };
  const id = protocol.decodeTaskId?.(request.body) ?? pathId;
  const byName = protocol.acceptsExternalIds === true && !isTaskId(id);
  const task = byName ? await engine.findByExternalId(apiKey.name, id) : await engine.find(apiKey.name, id);
  return { id, task: task?.kind === 'video' ? task : undefined };
}
