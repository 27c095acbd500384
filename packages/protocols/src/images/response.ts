import { type MediaTask, publicStatus, GATEWAY_MESSAGES } from '@sluice/canonical';
import type { z } from 'zod';
import type { ImagesView } from '../contracts/media-protocol.ts';
import { costOf } from '../media/task-cost.ts';
import { optionsOf } from '../media/task-options.ts';
import { errorOf, unixSeconds } from '../media/task-facts.ts';
import type { ImagesSchema, ImageTaskSchema } from './schema.ts';

type Images = z.output<typeof ImagesSchema>;

export function encodeImages(task: MediaTask, { images }: ImagesView): Images {
  const data: Images['data'] = [];
  const failed: NonNullable<Images['failed']> = [];
  for (const [index, { error, revisedPrompt }] of task.outputs.entries()) {
    const image = images.get(index);
    if (image) data.push({ ...image, ...(revisedPrompt !== undefined && { revised_prompt: revisedPrompt }) });
    else failed.push({ index, ...failureOf(error) });
  }
  return {
    created: unixSeconds(task.completedAt ?? task.createdAt),
    data,
    ...(failed.length > 0 && { failed }),
    ...costOf(task),
  };
}

export function encodeImageTask(task: MediaTask): z.output<typeof ImageTaskSchema> {
  const status = publicStatus(task.status);
  return {
    id: task.id,
    object: 'image.task',
    status,
    created_at: unixSeconds(task.createdAt),
    ...(status === 'failed' && { error: errorOf(task) }),
    ...costOf(task),
    ...optionsOf(task),
  };
}

function failureOf(error: MediaTask['error']): { code: string; message: string } {
  if (error) return { code: error.code, message: error.message };
  return { code: 'content_expired', message: GATEWAY_MESSAGES.fileGone };
}
