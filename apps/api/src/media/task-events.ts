import { isFinal, type MediaTask } from '@sluice/canonical';
import { SSE_COMMENT } from '@sluice/protocols';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientDisconnected } from '../http/client-disconnected.ts';
import { openEventStream } from '../http/event-stream.ts';
import type { MediaDeps } from './media-deps.ts';

const RETRY_MS = 2_000;

interface TaskFollower {
  request: FastifyRequest;
  reply: FastifyReply;
  task: MediaTask;
  after: number;
  encode: (revision: number, task: MediaTask) => string;
}

/**
 * Sends a task's changes as events, only as fast as the client reads. When the process stops, the stream ends early and
 * the client reconnects to another process. A client that already has the final event receives 204, which stops an
 * `EventSource`.
 */
export async function sendTaskEvents(
  { engine, keepAliveMs, stopping }: Pick<MediaDeps, 'engine' | 'keepAliveMs' | 'stopping'>,
  { request, reply, task, after, encode }: TaskFollower,
): Promise<unknown> {
  const contentType = 'text/event-stream; charset=utf-8';
  if (request.method === 'HEAD') return reply.type(contentType).header('cache-control', 'no-cache').send();
  const signal = AbortSignal.any([clientDisconnected(reply), stopping]);
  const changes = engine.follow(task, after, signal);
  // If the task is finished, its remaining changes are available immediately.
  const first = isFinal(task.status) ? await changes.next() : undefined;
  if (first?.done === true && !signal.aborted) return reply.code(204).send();

  const stream = openEventStream(reply, { contentType, keepAliveMs, keepAlive: () => SSE_COMMENT });
  const drained = drainsOf(signal);
  stream.onDrain(drained.notify);
  const send = async (text: string): Promise<void> => {
    if (!stream.write(text, 'utf8')) await drained.wait();
  };
  try {
    stream.begin({});
    await send(`retry: ${RETRY_MS}\n\n`);
    if (first?.done === false) await send(encode(first.value.revision, first.value.task));
    for await (const change of changes) await send(encode(change.revision, change.task));
    stream.end();
  } finally {
    drained.close();
  }
}

function drainsOf(signal: AbortSignal) {
  let wake: (() => void) | undefined;
  const notify = () => wake?.();
  signal.addEventListener('abort', notify);
  return {
    notify,
    async wait(): Promise<void> {
      if (signal.aborted) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    },
    close: () => signal.removeEventListener('abort', notify),
  };
}
