import { type MediaTask, publicStatus } from '@sluice/canonical';
import { z } from 'zod';
import { KLING_CODES } from './kling-codes.ts';
import type { TaskView } from '../contracts/media-protocol.ts';
import { COST_FIELDS, costOf } from './task-cost.ts';
import { optionsOf, SHOWN_OPTIONS } from './task-options.ts';
import { errorOf, videoOf, sizeOf } from './task-facts.ts';

/** A video task as one flat object, for responses of provider-a and `/v1/video/generations`. */
export const FlatTaskSchema = z
  .object({
    task_id: z.string(),
    status: z.enum(['queued', 'in_progress', 'completed', 'failed']),
    url: z.string().optional(),
    format: z.string().optional(),
    metadata: z
      .object({
        duration: z.int().optional(),
        fps: z.int().optional(),
        width: z.int().optional(),
        height: z.int().optional(),
        seed: z.int().optional(),
      })
      .optional(),
    error: z.object({ code: z.int(), message: z.string() }).optional(),
    ...COST_FIELDS,
    ...SHOWN_OPTIONS,
  })
  .meta({ id: 'VideoTask' });

export function encodeFlatTask(task: MediaTask, view: TaskView): z.output<typeof FlatTaskSchema> {
  const status = publicStatus(task.status);
  const head = { task_id: task.id, status, ...optionsOf(task) };
  switch (status) {
    case 'queued':
    case 'in_progress':
      return head;
    case 'failed': {
      const { code, message } = errorOf(task);
      return { ...head, error: { code: KLING_CODES[code], message }, ...costOf(task) };
    }
    case 'completed':
      return { ...head, url: view.contentUrl, format: formatOf(task), metadata: metadataOf(task), ...costOf(task) };
  }
}

/** Returns the subtype of a media type (e.g. `mp4` for `video/mp4`). */
function formatOf(task: MediaTask): string {
  return task.outputs[0]?.content?.mediaType.replace(/^video\//, '') ?? 'mp4';
}

/** Returns integers that describe the video, or the request if the video has none. */
function metadataOf(task: MediaTask): NonNullable<z.output<typeof FlatTaskSchema>['metadata']> {
  const video = videoOf(task);
  const seconds = video ? video.durationMs / 1_000 : Number(task.seconds);
  const [width, height] = video ? [video.width, video.height] : (sizeOf(task)?.split('x').map(Number) ?? []);
  const facts = {
    // A video shorter than half a second still gets a duration of 1.
    duration: seconds > 0 ? Math.max(1, Math.round(seconds)) : undefined,
    fps: video?.fps,
    width,
    height,
    seed: task.seed,
  };
  return Object.fromEntries(Object.entries(facts).filter(([, fact]) => Number.isSafeInteger(fact)));
}
