import { z } from 'zod';
import { OpenAiErrorSchema } from '../errors/openai-error.ts';
import { VideoSchema } from '../media/video-object.ts';

/** What a creation answers: the video object, and the id under the name that retrievals give it. */
export const CreatedVideoSchema = VideoSchema.extend({ task_id: z.string() }).meta({ id: 'CreatedVideo' });

/** Every error of this protocol. */
export const ErrorSchema = OpenAiErrorSchema.extend({
  code: z.string().meta({ description: 'The same as `error.code`.' }),
  message: z.string().meta({ description: 'The same as `error.message`.' }),
}).meta({ id: 'VideoGenerationError' });
