import type { MediaTask } from '@sluice/canonical';
import type { TaskSettings } from '../store/task-settings.ts';

/** Whether a client's read makes the next poll earlier: the last poll must be old enough, the next not yet near. */
export function shouldPollSoon(task: MediaTask, { onReadMs }: TaskSettings['polling'], now: number): boolean {
  if (task.status !== 'in_progress') return false;
  const lastPoll = task.polledAt ?? task.acceptedAt ?? 0;
  return now - lastPoll >= onReadMs && (task.dueAt ?? 0) - now >= onReadMs / 10;
}

/** Returns the milliseconds after which a client should poll the task again. */
export function pollAfterMs(task: MediaTask, { minMs, maxMs }: TaskSettings['polling'], now: number): number {
  const untilDue = task.status === 'in_progress' && task.dueAt !== undefined ? task.dueAt - now : minMs;
  return Math.min(maxMs, Math.max(Math.min(minMs, 1_000), untilDue));
}
