import { type MediaTask, publicStatus } from '@sluice/canonical';
import type { z } from 'zod';
import type { DeletedVideoSchema, VideoPageSchema, VideoSchema } from './schema.ts';

/** Spells a task as a video object. What is not known is left out, not null. */
export function encodeVideo(task: MediaTask, contentUrl: string): z.output<typeof VideoSchema> {
  const status = publicStatus(task.status);
  const completed = status === 'completed';
  return {
    id: task.id,
    object: 'video',
    model: task.model,
    status,
    progress: Math.trunc(task.progress),
    created_at: unixSeconds(task.createdAt),
    seconds: task.seconds,
    ...(task.size !== undefined && { size: task.size }),
    ...(task.prompt !== undefined && { prompt: task.prompt }),
    ...(completed && task.completedAt !== undefined && { completed_at: unixSeconds(task.completedAt) }),
    ...(completed && task.expiresAt !== undefined && { expires_at: unixSeconds(task.expiresAt) }),
    ...(status === 'failed' && { error: encodeTaskError(task) }),
    ...(completed && { metadata: { url: contentUrl } }),
  };
}

/** Spells a page of tasks. */
export function encodePage(
  tasks: readonly MediaTask[],
  hasMore: boolean,
  contentUrl: (id: string) => string,
): z.output<typeof VideoPageSchema> {
  return {
    object: 'list',
    data: tasks.map((task) => encodeVideo(task, contentUrl(task.id))),
    first_id: tasks[0]?.id ?? null,
    last_id: tasks.at(-1)?.id ?? null,
    has_more: hasMore,
  };
}

/** Spells what a deletion answers. */
export function encodeDeleted(id: string): z.output<typeof DeletedVideoSchema> {
  return { id, object: 'video.deleted', deleted: true };
}

function encodeTaskError(task: MediaTask): { code: string; message: string } {
  if (task.error) return { code: task.error.code, message: task.error.message };
  return task.status === 'canceled'
    ? { code: 'canceled', message: 'The video was canceled.' }
    : { code: 'provider_error', message: 'The video could not be made.' };
}

function unixSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}
