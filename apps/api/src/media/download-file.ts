import { GatewayError, isFinal, type MediaKind, type MediaTask } from '@sluice/canonical';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { printable } from '../http/printable.ts';
import { sendContent } from '../http/content/send-content.ts';
import type { MediaDeps } from './media-deps.ts';
import { taskNotFound } from './task-not-found.ts';

export interface FileCall {
  kind: MediaKind;
  owner?: string;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** @throws GatewayError `…_not_found`, `…_not_ready`, `not_found`, `content_expired`, `range_not_satisfiable` */
export async function downloadFile(
  deps: Pick<MediaDeps, 'engine' | 'content' | 'logger'>,
  { kind, owner, request, reply }: FileCall,
): Promise<unknown> {
  const { task_id: id = '', index = '0' } = request.params as { task_id?: string; index?: string };
  const stored = owner === undefined ? await deps.engine.findForLink(id) : await deps.engine.find(owner, id);
  const task = stored?.kind === kind ? stored : undefined;
  if (!task) throw taskNotFound(kind, id);
  const { variant = 'video' } = request.query as { variant?: string | string[] };
  if (kind === 'video' && variant !== 'video') {
    const what = `Variant ${printable(String(variant))} does not exist for this video. Use \`video\`.`;
    throw new GatewayError('not_found', what, { param: 'variant' });
  }
  if (task.status !== 'completed') throw notReady(deps.engine, task);
  const file = /^(?:0|[1-9]\d?)$/.test(index) ? task.outputs[Number(index)]?.content : undefined;
  if (!file)
    throw new GatewayError('not_found', `File ${printable(index)} of this ${kind} does not exist.`, { param: 'index' });
  if (task.trace !== undefined) {
    request.trace?.continueTask(task.trace, { 'sluice.task.id': task.id, 'sluice.task.kind': kind });
  }
  const extension = kind === 'video' ? '.mp4' : `-${index}.${file.mediaType.split('/')[1] ?? 'bin'}`;
  return sendContent(reply, deps.content, file, `${task.id}${extension}`, deps.logger);
}

function notReady(engine: MediaDeps['engine'], task: MediaTask): GatewayError {
  engine.pollSoon(task);
  const what = isFinal(task.status)
    ? `The ${task.kind} has failed and has no content. Generate it again.`
    : `The ${task.kind} is at ${task.progress} %. Poll it until it is completed.`;
  return new GatewayError(`${task.kind}_not_ready`, what);
}
