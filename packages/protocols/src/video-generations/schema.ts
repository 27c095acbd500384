import { z } from 'zod';
import { OpenAiErrorSchema } from '../errors/openai-error.ts';
import { VideoSchema } from '../media/video-object.ts';

/** The creation response: the video object, plus the task id under the field name that retrievals use. */
export const CreatedVideoSchema = VideoSchema.extend({ task_id: z.string() }).meta({ id: 'CreatedVideo' });

export const ErrorSchema = OpenAiErrorSchema.extend({
  code: z.string().meta({ description: 'The same as `error.code`.' }),
  message: z.string().meta({ description: 'The same as `error.message`.' }),
}).meta({ id: 'VideoGenerationError' });
