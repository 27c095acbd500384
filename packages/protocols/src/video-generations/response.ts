import type { MediaTask } from '@sluice/canonical';
import type { z } from 'zod';
import type { TaskView } from '../contracts/media-protocol.ts';
import { encodeVideoObject } from '../media/video-object.ts';
import type { CreatedVideoSchema } from './schema.ts';

/**
 * Encodes a new task. new-api returns the video object but documents `{task_id, status}`, so the response contains
 * both.
 */
export function encodeCreated(task: MediaTask, view: TaskView): z.output<typeof CreatedVideoSchema> {
  return { ...encodeVideoObject(task, view), task_id: task.id };
}
