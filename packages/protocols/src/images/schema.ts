import { z } from 'zod';
import { TaskCallbackUrlSchema } from '../media/callback-url.ts';
import { MaxCostSchema } from '../media/cost-controls.ts';
import { SHOWN_OPTIONS, TASK_OPTION_FIELDS, UserSchema } from '../media/task-options.ts';
import { COST_FIELDS } from '../media/task-cost.ts';
import { ImageInputSchema } from '../media/input-image.ts';
import {
  AspectRatioSchema,
  boundedText,
  FlagSchema,
  MAX_PROMPT,
  MetadataSchema,
  ModelSchema,
  promptText,
  SeedSchema,
  integer,
} from '../media/fields.ts';

/** OpenAI's limit of images per request. */
export const CountSchema = integer(1, 10);

/** OpenAI separates width and height with `x`, DashScope with `*`. OpenAI's `auto` is treated as unset. */
export const ImageSizeSchema = z
  .string({ error: 'must be a string (e.g. 1024x1024)' })
  .regex(/^(?:auto|[1-9]\d{1,4}[x*][1-9]\d{1,4})$/, { error: 'must be WIDTHxHEIGHT in pixels (e.g. 1024x1024)' })
  .transform((size) => (size === 'auto' ? undefined : size.replace('*', 'x')));

export const ResponseFormatSchema = z.enum(['url', 'b64_json'], { error: 'must be url or b64_json' }).optional().meta({
  description: "Default: b64_json for OpenAI's gpt-image… and chatgpt-image… models under any name, otherwise url.",
});

/** A value that depends on the model. OpenAI's `auto` is treated as unset. */
const ModelValueSchema = boundedText(64).transform((value) => (value === 'auto' ? undefined : value));

const imageFields = {
  prompt: promptText()
    .optional()
    .meta({ description: 'Description of the image. Required.', example: 'A poster that says OPEN' }),
  model: ModelSchema.optional().meta({ description: 'Default: the default model of this gateway.' }),
  n: CountSchema.optional().meta({ description: 'Number of images.' }),
  size: ImageSizeSchema.optional().meta({ description: 'WIDTHxHEIGHT in pixels, or auto.', example: '1024x1024' }),
  aspect_ratio: AspectRatioSchema.optional().meta({ description: 'Aspect ratio of the image, instead of a size.' }),
  quality: ModelValueSchema.optional(),
  background: ModelValueSchema.optional(),
  output_format: z.enum(['png', 'jpeg', 'webp'], { error: 'must be png, jpeg, or webp' }).optional(),
  response_format: ResponseFormatSchema,
  negative_prompt: boundedText(MAX_PROMPT).optional(),
  seed: SeedSchema.optional().meta({ description: '-1: none.' }),
  watermark: FlagSchema.optional(),
  prompt_extend: FlagSchema.optional().meta({ description: 'Whether the vendor may rewrite the prompt.' }),
  style: boundedText(256).optional(),
  moderation: boundedText(64).optional(),
  output_compression: integer(0, 100).optional(),
  stream: FlagSchema.optional().meta({ description: 'Only false: images are not streamed.' }),
  partial_images: integer(0, 3).optional().meta({ description: 'Only 0.' }),
  image: ImageInputSchema.optional().meta({ description: 'An image as URL, data URL, or base64.' }),
  images: z.array(ImageInputSchema, { error: 'must be an array of images' }).optional(),
  mask: ImageInputSchema.optional().meta({ description: 'The area to edit: the transparent parts of this image.' }),
  callback_url: TaskCallbackUrlSchema,
  max_cost_usd: MaxCostSchema,
  ...TASK_OPTION_FIELDS,
  user: UserSchema.optional().meta({ description: 'Your own user for whom the task is. Lists can filter by it.' }),
  metadata: MetadataSchema.optional(),
};

/** OpenAI's format. Unknown fields become metadata for the upstream. */
export const OpenAiImagesSchema = z
  .looseObject(imageFields, { error: 'body must be a JSON object' })
  .meta({ id: 'CreateImages' });

const FileSchema = z.string().meta({ override: { type: 'string', contentMediaType: 'application/octet-stream' } });

/** The same body with images as files, for the API reference. */
export const OpenAiImagesFormSchema = OpenAiImagesSchema.extend({
  image: z.union([FileSchema, z.array(FileSchema), ImageInputSchema]).optional(),
  images: z.array(z.union([FileSchema, ImageInputSchema])).optional(),
  mask: z.union([FileSchema, ImageInputSchema]).optional(),
}).meta({ id: 'CreateImagesForm' });

const ImageSchema = z.object({
  url: z.string().optional(),
  b64_json: z.string().optional(),
  revised_prompt: z.string().optional(),
});

export const ImagesSchema = z
  .object({
    created: z.int(),
    data: z.array(ImageSchema),
    failed: z
      .array(z.object({ index: z.int(), code: z.string(), message: z.string() }))
      .optional()
      .meta({ description: 'The images that failed.' }),
    ...COST_FIELDS,
  })
  .meta({ id: 'Images' });

export const ImageTaskSchema = z
  .object({
    id: z.string(),
    object: z.literal('image.task'),
    status: z.enum(['queued', 'in_progress', 'completed', 'failed']),
    created_at: z.int(),
    error: z.object({ code: z.string(), message: z.string() }).optional(),
    ...COST_FIELDS,
    ...SHOWN_OPTIONS,
  })
  .meta({ id: 'ImageTask' });
