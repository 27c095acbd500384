import { type MediaTask, publicStatus } from '@sluice/canonical';
import type { z } from 'zod';
import type { TaskView } from '../contracts/media-protocol.ts';
import { costOf } from '../media/task-cost.ts';
import { errorOf } from '../media/task-facts.ts';
import { VOLCENGINE_CODES } from './codes.ts';
import type { ResultSchema, SubmittedSchema } from './schema.ts';

type CallView = Omit<TaskView, 'contentUrl'>;
type Result = z.output<typeof ResultSchema>;

/** The code of a successful call. */
const SUCCESS = 10_000;

export function encodeCreated(task: MediaTask, view: TaskView): z.output<typeof SubmittedSchema> {
  return { ...envelope(SUCCESS, 'Success', view), data: { task_id: task.id } };
}

/** Encodes a task. In Volcengine's API, retrieving a failed task is a failed call. */
export function encodeVideo(task: MediaTask, view: TaskView): Result {
  const done = (data: Result['data']): Result => ({ ...envelope(SUCCESS, 'Success', view), data });
  switch (publicStatus(task.status)) {
    case 'queued':
      return done({ status: 'in_queue' });
    case 'in_progress':
      return done({ status: 'generating' });
    case 'completed':
      return done({ status: 'done', video_url: view.contentUrl, aigc_meta_tagged: false, ...costOf(task) });
    case 'failed': {
      if (isExpired(task)) return done({ status: 'expired' });
      const { code, message } = errorOf(task);
      return { ...envelope(VOLCENGINE_CODES[code], message, view), data: null };
    }
  }
}

/** A failed task has status 400, the only status other than 200 in this protocol. */
export function statusOf(task: MediaTask): number {
  return publicStatus(task.status) === 'failed' && !isExpired(task) ? 400 : 200;
}

/** Encodes an unknown task as a successful call with a task status. */
export function encodeMissing(view: CallView): Result {
  return { ...envelope(SUCCESS, 'Success', view), data: { status: 'not_found' } };
}

function isExpired(task: MediaTask): boolean {
  return errorOf(task).code === 'content_expired';
}

function envelope(code: number, message: string, { requestId, elapsedMs }: CallView) {
  const elapsed = `${Number(elapsedMs.toFixed(3))}ms`;
  return { code, message, request_id: requestId, status: code, time_elapsed: elapsed };
}
