import { z } from 'zod';
import { requiredOr } from '../json/plain-text.ts';
import { TaskCallbackUrlSchema } from '../media/callback-url.ts';
import { MaxCostSchema } from '../media/cost-controls.ts';
import { TASK_OPTION_FIELDS } from '../media/task-options.ts';
import { boundedText, FlagSchema, MAX_PROMPT, ModelSchema, SeedSchema } from '../media/fields.ts';
import { CountSchema, ImageSizeSchema, ResponseFormatSchema } from './schema.ts';

/** Far above any model's limit. */
const MAX = 100;
const tooMany = { error: `must have at most ${MAX} items` };

const PartSchema = z
  .object(
    {
      image: z.string({ error: 'must be an http(s) URL or a data URL' }).optional(),
      text: boundedText(MAX_PROMPT).optional(),
    },
    { error: 'must be an object with text or image' },
  )
  .refine(({ image, text }) => image !== undefined || text !== undefined, { error: 'must have text or image' });

const MessageSchema = z.object(
  {
    role: z.string({ error: 'must be a string' }).optional(),
    content: z.array(PartSchema, requiredOr('must be an array of parts')).max(MAX, tooMany),
  },
  { error: 'must be an object with content' },
);

/** DashScope's format (qwen-image, multimodal-generation). Unknown fields are passed through. */
export const DashScopeImagesSchema = z
  .looseObject(
    {
      model: ModelSchema,
      input: z.looseObject(
        {
          messages: z
            .array(MessageSchema, requiredOr('must be an array of messages'))
            .min(1, { error: 'must not be empty' })
            .max(MAX, tooMany),
        },
        { error: 'must be an object with messages' },
      ),
      parameters: z
        .looseObject(
          {
            negative_prompt: boundedText(MAX_PROMPT).optional(),
            prompt_extend: FlagSchema.optional(),
            watermark: FlagSchema.optional(),
            size: ImageSizeSchema.optional().meta({ description: 'WIDTH*HEIGHT in pixels.', example: '1328*1328' }),
            n: CountSchema.optional(),
            seed: SeedSchema.optional(),
          },
          { error: 'must be an object' },
        )
        .optional(),
      response_format: ResponseFormatSchema,
      callback_url: TaskCallbackUrlSchema,
      max_cost_usd: MaxCostSchema,
      ...TASK_OPTION_FIELDS,
      stream: FlagSchema.optional(),
    },
    { error: 'body must be a JSON object' },
  )
  .meta({ id: 'CreateImagesFromMessages' });
