import type { CallbackShape, MediaTask, WebhookEvent } from '@sluice/canonical';
import { encodeImages, encodeImageTask } from './images/index.ts';
import { encodeCallback } from './provider-a/index.ts';
import { unixSeconds } from './media/task-facts.ts';
import { encodeVideoObject } from './media/video-object.ts';

/** Event data beyond the task. */
export interface TaskEvent {
  /** The same for all attempts and receivers. */
  id: string;
  type: WebhookEvent;
  /** Time of the event, Unix milliseconds. */
  at: number;
  /** A webhook event, or a callback of provider-a. */
  shape: CallbackShape;
}

/**
 * Encodes the end of a task for a client's server: an event for Standard Webhooks and OpenAI's SDKs with the retrieved
 * task
 * except its prompt, or Kling's callback.
 * @param linkTo returns the link to one of the task's files
 */
export function encodeTaskEvent(task: MediaTask, event: TaskEvent, linkTo: (index: number) => string): unknown {
  const { prompt: _unsaid, ...told } = task;
  switch (event.shape) {
    case 'provider-a':
      return encodeCallback(told, { contentUrl: linkTo(0), requestId: event.id, elapsedMs: 0 });
    case 'event':
      return {
        object: 'event',
        id: event.id,
        type: event.type,
        created_at: unixSeconds(event.at),
        timestamp: new Date(event.at).toISOString(),
        data: told.kind === 'video' ? videoData(told, event, linkTo) : imageData(told, linkTo),
      };
  }
}

function videoData(task: MediaTask, { id }: TaskEvent, linkTo: (index: number) => string): unknown {
  return encodeVideoObject(task, { contentUrl: linkTo(0), requestId: id, elapsedMs: 0 });
}

/** Images are sent by URL, whatever their client requested. A prompt that the vendor rewrote is omitted, too. */
function imageData(task: MediaTask, linkTo: (index: number) => string): unknown {
  const told = encodeImageTask(task);
  if (task.status !== 'completed') return told;
  const outputs = task.outputs.map(({ revisedPrompt: _unsaid, ...output }) => output);
  const images = new Map(
    outputs.flatMap(({ content }, index) => (content ? [[index, { url: linkTo(index) }] as const] : [])),
  );
  return { ...told, ...encodeImages({ ...task, outputs }, { images }) };
}
