import type { MediaTask } from '@sluice/canonical';
import type { TaskEngine } from '@sluice/tasks';
import { encodeTask } from './task-response.ts';

type Pauses = Pick<TaskEngine, 'isOwnerPaused'>;

/** Formats tasks, and says which wait because their key has paused its queue. @throws GatewayError `store_unavailable` */
export async function showTasks(engine: Pauses, tasks: readonly MediaTask[]) {
  const owners = [...new Set(tasks.filter(waits).map(({ ownerId }) => ownerId))];
  const paused = await Promise.all(owners.map(async (owner) => ((await engine.isOwnerPaused(owner)) ? [owner] : [])));
  const pausedOwners = new Set(paused.flat());
  return tasks.map((task) => encodeTask(task, waits(task) && pausedOwners.has(task.ownerId)));
}

/** @throws GatewayError `store_unavailable` */
export async function isQueuePaused(engine: Pauses, task: MediaTask): Promise<boolean> {
  return waits(task) && engine.isOwnerPaused(task.ownerId);
}

function waits({ status }: MediaTask): boolean {
  return status === 'queued';
}
