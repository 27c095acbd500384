import type { FilmFacts, MediaTask, TaskError } from '@sluice/canonical';

/** What the finished film says of itself. */
export function filmOf(task: MediaTask): FilmFacts | undefined {
  return task.outputs[0]?.content?.film;
}

/** The frame size as `WIDTHxHEIGHT`: what was asked for, else what the film has. */
export function sizeOf(task: MediaTask): string | undefined {
  if (task.size !== undefined) return task.size;
  const film = filmOf(task);
  return film && `${film.width}x${film.height}`;
}

/** Why a task that has failed has failed. */
export function errorOf(task: MediaTask): TaskError {
  if (task.error) return { code: task.error.code, message: task.error.message };
  return task.status === 'canceled'
    ? { code: 'canceled', message: 'The task was canceled.' }
    : { code: 'provider_error', message: 'Nothing could be made.' };
}

/** Whole Unix seconds. */
export function unixSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1_000);
}

/** When the task last moved, Unix milliseconds. */
export function updatedAt({ createdAt, submittedAt, acceptedAt, polledAt, completedAt }: MediaTask): number {
  return Math.max(createdAt, submittedAt ?? 0, acceptedAt ?? 0, polledAt ?? 0, completedAt ?? 0);
}
