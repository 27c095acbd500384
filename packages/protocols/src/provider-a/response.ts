import { type MediaTask, publicStatus, type PublicStatus } from '@sluice/canonical';
import type { z } from 'zod';
import { encodeFlatTask } from '../media/flat-task.ts';
import type { TaskView } from '../contracts/media-protocol.ts';
import { errorOf, videoOf, updatedAt } from '../media/task-facts.ts';
import type { CreatedTaskSchema, TaskSchema } from './schema.ts';

/** Kling's task states. Note `succeed` instead of `succeeded`. */
const TASK_STATUS = {
  queued: 'submitted',
  in_progress: 'processing',
  completed: 'succeed',
  failed: 'failed',
} as const satisfies Readonly<Record<PublicStatus, string>>;

/** Encodes a new task with the fields of both the flat object and Kling's envelope. Their names do not collide. */
export function encodeCreated(task: MediaTask, view: TaskView): z.output<typeof CreatedTaskSchema> {
  return { task_id: task.id, status: publicStatus(task.status), ...envelope(view), data: dataOf(task) };
}

export function encodeVideo(task: MediaTask, view: TaskView): z.output<typeof TaskSchema> {
  const status = publicStatus(task.status);
  const videos = [{ id: task.id, url: view.contentUrl, duration: durationOf(task) }];
  return {
    ...encodeFlatTask(task, view),
    ...envelope(view),
    data: {
      ...dataOf(task),
      task_status_msg: status === 'failed' ? errorOf(task).message : '',
      ...(status === 'completed' && { task_result: { videos } }),
    },
  };
}

/**
 * Encodes the body of a `callback_url` request. Kling puts the fields of `data` at the top level. The fields of a
 * retrieval response are added for clients that parse callbacks and retrievals with the same function. The names do not
 * collide.
 */
export function encodeCallback(task: MediaTask, view: TaskView) {
  const retrieved = encodeVideo(task, view);
  return { ...retrieved, ...retrieved.data };
}

/** The call itself succeeds regardless of the task's state. */
function envelope({ requestId }: TaskView) {
  return { code: 0, message: 'SUCCEED', request_id: requestId } as const;
}

function dataOf(task: MediaTask) {
  return {
    task_id: task.id,
    task_status: TASK_STATUS[publicStatus(task.status)],
    task_info: { ...(task.externalId !== undefined && { external_task_id: task.externalId }) },
    created_at: task.createdAt,
    updated_at: updatedAt(task),
  };
}

/** Returns the duration in seconds as a decimal string (e.g. `5.1`). */
function durationOf(task: MediaTask): string {
  const video = videoOf(task);
  return video ? String(video.durationMs / 1_000) : task.seconds;
}
