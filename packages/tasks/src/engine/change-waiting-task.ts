import { GatewayError, type MediaTask } from '@sluice/canonical';
import type { Move } from '../store/move.ts';
import type { EngineContext } from './engine-context.ts';
import { findOwnedTask } from './find-task.ts';
import type { QueueChange } from './task-requests.ts';

/**
 * Changes the priority of a task that waits, or pauses or resumes it. The move checks that the task has no slot, so a
 * task is either changed or submitted.
 * @throws GatewayError `not_found`; `task_conflict` if the task no longer waits
 */
export async function changeWaitingTask(
  context: Pick<EngineContext, 'store' | 'wake' | 'now'>,
  ownerId: string,
  id: string,
  { paused, priority }: QueueChange,
): Promise<MediaTask> {
  const record = await findOwnedTask(context, ownerId, id);
  if (!record) throw notFound(id);
  const outcome = paused === undefined ? 'reordered' : paused ? 'paused' : 'resumed';
  const move: Move = { from: ['queued'], waiting: true, set: { paused, priority }, note: { what: 'queue', outcome } };
  const moved = await context.store.move(id, move, { replicated: true });
  if (moved.result === 'missing') throw notFound(id);
  if (moved.result !== 'moved') {
    const what = `Task \`${id}\` no longer waits: its submission has begun, or it has ended.`;
    throw new GatewayError('task_conflict', `${what} Cancel it if it should not continue.`);
  }
  context.wake(moved.dispatched);
  return { ...moved.record, prompt: record.prompt };
}

function notFound(id: string): GatewayError {
  return new GatewayError('not_found', `Task \`${id}\` does not exist.`);
}
