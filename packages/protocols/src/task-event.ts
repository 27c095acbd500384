import type { CallbackShape, MediaTask, WebhookEvent } from '@sluice/canonical';
import { encodeImages, encodeImageTask } from './images/index.ts';
import { encodeCallback } from './provider-a/index.ts';
import { unixSeconds } from './media/task-facts.ts';
import { encodeVideoObject } from './media/video-object.ts';

/** What is told beside the task. */
export interface TaskEvent {
  /** The same over all attempts, and for all servers that are told of it. */
  id: string;
  type: WebhookEvent;
  /** When it happened, Unix milliseconds. */
  at: number;
  /** As an event, or as provider-a spells callbacks. */
  shape: CallbackShape;
}

/**
 * Spells the end of a task for a client's server: an event as both Standard Webhooks and OpenAI's SDKs read it, with the
 * task as its retrieval shows it, but for the prompt; or Kling's callback.
 * @param linkTo the link to one of the task's files
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

/** Images are told by URL, however their client wanted them. A prompt that the vendor has rewritten is a prompt, too. */
function imageData(task: MediaTask, linkTo: (index: number) => string): unknown {
  const told = encodeImageTask(task);
  if (task.status !== 'completed') return told;
  const outputs = task.outputs.map(({ revisedPrompt: _unsaid, ...output }) => output);
  const images = new Map(
    outputs.flatMap(({ content }, index) => (content ? [[index, { url: linkTo(index) }] as const] : [])),
  );
  return { ...told, ...encodeImages({ ...task, outputs }, { images }) };
}
