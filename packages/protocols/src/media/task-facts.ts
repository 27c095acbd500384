import { type VideoFacts, type MediaTask, type TaskError, UPSTREAM_MESSAGES } from '@sluice/canonical';

export function videoOf(task: MediaTask): VideoFacts | undefined {
  return task.outputs[0]?.content?.video;
}

/** Returns `WIDTHxHEIGHT` from the request, or from the video if the request has none. */
export function sizeOf(task: MediaTask): string | undefined {
  if (task.size !== undefined) return task.size;
  const video = videoOf(task);
  return video && `${video.width}x${video.height}`;
}

export function errorOf(task: MediaTask): TaskError {
  if (task.error) return { code: task.error.code, message: task.error.message };
  return task.status === 'canceled'
    ? { code: 'canceled', message: 'The task was canceled.' }
    : { code: 'provider_error', message: UPSTREAM_MESSAGES.noContent };
}

export function unixSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1_000);
}

/** Returns Unix milliseconds. */
export function updatedAt({ createdAt, submittedAt, acceptedAt, polledAt, completedAt }: MediaTask): number {
  return Math.max(createdAt, submittedAt ?? 0, acceptedAt ?? 0, polledAt ?? 0, completedAt ?? 0);
}
