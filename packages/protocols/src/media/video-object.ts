import { type MediaTask, publicStatus } from '@sluice/canonical';
import { z } from 'zod';
import type { TaskView } from '../contracts/media-protocol.ts';
import { COST_FIELDS, costOf } from './task-cost.ts';
import { optionsOf, SHOWN_OPTIONS } from './task-options.ts';
import { errorOf, sizeOf, unixSeconds } from './task-facts.ts';

/** OpenAI's video object. Times are in Unix seconds. */
export const VideoSchema = z
  .object({
    id: z.string(),
    object: z.literal('video'),
    model: z.string(),
    status: z.enum(['queued', 'in_progress', 'completed', 'failed']),
    progress: z.int().min(0).max(100),
    created_at: z.int(),
    seconds: z.string(),
    size: z.string().optional(),
    prompt: z.string().optional(),
    remixed_from_video_id: z.string().optional(),
    completed_at: z.int().optional(),
    expires_at: z.int().optional(),
    error: z.object({ code: z.string(), message: z.string() }).optional(),
    metadata: z.object({ url: z.string() }).optional(),
    ...COST_FIELDS,
    ...SHOWN_OPTIONS,
  })
  .meta({ id: 'Video' });

/** Omits unknown fields instead of sending null. */
export function encodeVideoObject(task: MediaTask, view: TaskView): z.output<typeof VideoSchema> {
  const status = publicStatus(task.status);
  const completed = status === 'completed';
  const size = sizeOf(task);
  return {
    id: task.id,
    object: 'video',
    model: task.model,
    status,
    progress: Math.trunc(task.progress),
    created_at: unixSeconds(task.createdAt),
    seconds: task.seconds,
    ...(size !== undefined && { size }),
    ...(task.prompt !== undefined && { prompt: task.prompt }),
    ...(task.remixedFrom !== undefined && { remixed_from_video_id: task.remixedFrom }),
    ...(completed && task.completedAt !== undefined && { completed_at: unixSeconds(task.completedAt) }),
    ...(completed && task.expiresAt !== undefined && { expires_at: unixSeconds(task.expiresAt) }),
    ...(status === 'failed' && { error: errorOf(task) }),
    ...(completed && { metadata: { url: view.contentUrl } }),
    ...costOf(task),
    ...optionsOf(task),
  };
}
