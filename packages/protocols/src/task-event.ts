import type { CallbackShape, EventObject, MediaTask, WebhookEvent } from '@sluice/canonical';
import { encodeImages, encodeImageTask } from './images/index.ts';
import { encodeCallback } from './provider-a/index.ts';
import { createContentLinker } from './media/content-link.ts';
import { unixSeconds } from './media/task-facts.ts';
import { encodeVideoObject } from './media/video-object.ts';

export interface TaskEvent {
  /** The same for all delivery attempts and all receivers. */
  id: string;
  type: WebhookEvent;
  /** Time of the event in Unix milliseconds. */
  at: number;
  shape: CallbackShape;
}

/**
 * Encodes a finished task for a client's server. The result is either a Standard Webhooks event, in a format that
 * OpenAI's SDKs read and without the task's prompt, or Kling's callback.
 * @param linkTo returns the link to one of the task's files
 */
export function encodeTaskEvent(task: MediaTask, event: TaskEvent, linkTo: (index: number) => string): unknown {
  const { prompt: _prompt, ...shown } = task;
  switch (event.shape) {
    case 'provider-a':
      return encodeCallback(shown, { contentUrl: linkTo(0), requestId: event.id, elapsedMs: 0 });
    case 'event':
      return encodeEvent(event, shown.kind === 'video' ? videoData(shown, event, linkTo) : imageData(shown, linkTo));
  }
}

function encodeEvent({ id, type, at }: TaskEvent, data: unknown): unknown {
  return {
    object: 'event',
    id,
    type,
    created_at: unixSeconds(at),
    timestamp: new Date(at).toISOString(),
    data,
  };
}

function videoData(task: MediaTask, { id }: TaskEvent, linkTo: (index: number) => string): unknown {
  return encodeVideoObject(task, { contentUrl: linkTo(0), requestId: id, elapsedMs: 0 });
}

/** Images are sent as URLs, regardless of the requested format. A rewritten prompt is also omitted. */
function imageData(task: MediaTask, linkTo: (index: number) => string): unknown {
  const encoded = encodeImageTask(task);
  if (task.status !== 'completed') return encoded;
  const outputs = task.outputs.map(({ revisedPrompt: _revised, ...output }) => output);
  const images = new Map(
    outputs.flatMap(({ content }, index) => (content ? [[index, { url: linkTo(index) }] as const] : [])),
  );
  return { ...encoded, ...encodeImages({ ...task, outputs }, { images }) };
}

/**
 * Returns the body of an event's deliveries. A task has the same links as in `GET` responses. Without a client request,
 * the gateway's origin comes from the task.
 * @param secret the gateway's secret, which signs the links
 */
export function createEventEncoder(
  secret: string,
  publicUrl: string | undefined,
): (subject: MediaTask | EventObject, event: TaskEvent) => string {
  const linker = createContentLinker(secret);
  const base = publicUrl?.replace(/\/+$/, '');
  return (subject, event) => {
    if (!('kind' in subject)) return JSON.stringify(encodeEvent(event, { id: subject.id }));
    const linkTo = (index: number) =>
      (base ?? subject.origin ?? '') + linker.link(subject, index, subject.expiresAt ?? 0);
    return JSON.stringify(encodeTaskEvent(subject, event, linkTo));
  };
}
