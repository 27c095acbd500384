import { GatewayError, type MediaTask } from '@sluice/canonical';
import type { Move } from '../store/move.ts';
import type { TaskRecord } from '../store/task-record.ts';
import { ALL_STATUSES, cancelTask } from './cancel-task.ts';
import type { EngineContext } from './engine-context.ts';
import { findOwnedTask } from './find-task.ts';

type EndContext = Pick<EngineContext, 'store' | 'queues' | 'wake' | 'now'>;

/** @throws GatewayError `video_not_found`, or `task_final` if the task has completed or failed */
export async function cancelOwnedTask(context: EndContext, ownerId: string, id: string): Promise<MediaTask> {
  const record = await expectTask(context, ownerId, id);
  const canceled = await cancelTask(context, record);
  if (canceled.status === 'completed' || canceled.status === 'failed') {
    throw new GatewayError('task_final', `The video has ended as \`${canceled.status}\` and cannot be canceled.`);
  }
  return { ...canceled, prompt: record.prompt };
}

/** Deletes a task for its owner. An open task is canceled first. @throws GatewayError `video_not_found` */
export async function removeOwnedTask(context: EndContext, ownerId: string, id: string): Promise<void> {
  const record = await expectTask(context, ownerId, id);
  // Set `deleted` in the same step as the cancellation, so that no webhook is sent for the cancellation.
  await cancelTask(context, record, undefined, { deleted: true });
  const move: Move = { from: ALL_STATUSES, set: { deleted: true }, note: { what: 'delete' } };
  await context.store.move(id, move, { replicated: true });
}

async function expectTask(context: EndContext, ownerId: string, id: string): Promise<TaskRecord> {
  const record = await findOwnedTask(context, ownerId, id);
  if (record) return record;
  throw new GatewayError('video_not_found', `Video \`${id}\` does not exist.`);
}
