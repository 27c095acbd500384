import type { MediaTask } from '@sluice/canonical';
import type { z } from 'zod';
import type { TaskView } from '../media-protocol.ts';
import { encodeVideoObject } from '../video-object.ts';
import type { DeletedVideoSchema, VideoPageSchema } from './schema.ts';

/** Spells a page of tasks. */
export function encodePage(
  tasks: readonly MediaTask[],
  hasMore: boolean,
  viewOf: (task: MediaTask) => TaskView,
): z.output<typeof VideoPageSchema> {
  return {
    object: 'list',
    data: tasks.map((task) => encodeVideoObject(task, viewOf(task))),
    first_id: tasks[0]?.id ?? null,
    last_id: tasks.at(-1)?.id ?? null,
    has_more: hasMore,
  };
}

/** Spells what a deletion answers. */
export function encodeDeleted(id: string): z.output<typeof DeletedVideoSchema> {
  return { id, object: 'video.deleted', deleted: true };
}
