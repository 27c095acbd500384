import { type MediaTask, publicStatus } from '@sluice/canonical';
import type { z } from 'zod';
import type { TaskView } from '../contracts/media-protocol.ts';
import { sseEvent } from '../stream/sse.ts';
import { encodeVideoObject } from '../media/video-object.ts';
import type { DeletedVideoSchema, VideoPageSchema } from './schema.ts';

export function encodePage(
  tasks: readonly MediaTask[],
  next: string | undefined,
  viewOf: (task: MediaTask) => TaskView,
): z.output<typeof VideoPageSchema> {
  return {
    object: 'list',
    data: tasks.map((task) => encodeVideoObject(task, viewOf(task))),
    first_id: tasks[0]?.id ?? null,
    // A filtered page may end before its next match.
    last_id: next ?? tasks.at(-1)?.id ?? null,
    has_more: next !== undefined,
  };
}

export function encodeDeleted(id: string): z.output<typeof DeletedVideoSchema> {
  return { id, object: 'video.deleted', deleted: true };
}

/** Encodes a task change as a server-sent event (e.g. `video.in_progress`) that contains the video at that revision. */
export function encodeEvent(revision: number, task: MediaTask, view: TaskView): string {
  return `id: ${revision}\n${sseEvent(`video.${publicStatus(task.status)}`, encodeVideoObject(task, view))}`;
}
