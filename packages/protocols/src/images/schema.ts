import { z } from 'zod';
import { TaskCallbackUrlSchema } from '../media/callback-url.ts';
import { PictureSchema } from '../media/input-image.ts';
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

/** Most images of one request (OpenAI). */
export const CountSchema = integer(1, 10);

/** OpenAI parts the sides by `x`, DashScope by `*`; `auto` is how OpenAI spells that nothing is wanted. */
export const ImageSizeSchema = z
  .string({ error: 'must be a string such as 1024x1024' })
  .regex(/^(?:auto|[1-9]\d{1,4}[x*][1-9]\d{1,4})$/, { error: 'must be WIDTHxHEIGHT in pixels, e.g. 1024x1024' })
  .transform((size) => (size === 'auto' ? undefined : size.replace('*', 'x')));

/** How the client wants the images; the same in both shapes of the body. */
export const ResponseFormatSchema = z.enum(['url', 'b64_json'], { error: 'must be url or b64_json' }).optional().meta({
  description: 'Absent: b64_json for OpenAI’s gpt-image… and chatgpt-image… under any name, url for all others.',
});

/** A word of the model's own; OpenAI's `auto` leaves it to the model. */
const WordSchema = boundedText(64).transform((word) => (word === 'auto' ? undefined : word));

const imageFields = {
  prompt: promptText()
    .optional()
    .meta({ description: 'What the image shows. Required.', example: 'A poster that says OPEN' }),
  model: ModelSchema.optional().meta({ description: 'Absent: the default of this gateway.' }),
  n: CountSchema.optional().meta({ description: 'How many images.' }),
  size: ImageSizeSchema.optional().meta({ description: 'WIDTHxHEIGHT in pixels, or auto.', example: '1024x1024' }),
  aspect_ratio: AspectRatioSchema.optional().meta({ description: 'Shape of the image instead of a size.' }),
  quality: WordSchema.optional(),
  background: WordSchema.optional(),
  output_format: z.enum(['png', 'jpeg', 'webp'], { error: 'must be png, jpeg or webp' }).optional(),
  response_format: ResponseFormatSchema,
  negative_prompt: boundedText(MAX_PROMPT).optional(),
  seed: SeedSchema.optional().meta({ description: '-1: none.' }),
  watermark: FlagSchema.optional(),
  prompt_extend: FlagSchema.optional().meta({ description: 'Whether the vendor may rewrite the prompt.' }),
  style: boundedText(256).optional(),
  user: boundedText(512).optional(),
  moderation: boundedText(64).optional(),
  output_compression: integer(0, 100).optional(),
  stream: FlagSchema.optional().meta({ description: 'Only false: images are not streamed.' }),
  partial_images: integer(0, 3).optional().meta({ description: 'Only 0.' }),
  image: PictureSchema.optional().meta({ description: 'A picture by URL, data URL or base64.' }),
  images: z.array(PictureSchema, { error: 'must be a list of pictures' }).optional(),
  mask: PictureSchema.optional().meta({ description: 'Where the picture is to be edited: its transparent parts.' }),
  callback_url: TaskCallbackUrlSchema,
  metadata: MetadataSchema.optional(),
};

/** A request in OpenAI's shape; every other key becomes metadata for the upstream. */
export const OpenAiImagesSchema = z
  .looseObject(imageFields, { error: 'body must be a JSON object' })
  .meta({ id: 'CreateImages' });

const FileSchema = z.string().meta({ override: { type: 'string', contentMediaType: 'application/octet-stream' } });

/** The same as a multipart form, where pictures are files. Documents only: the fields are checked as above. */
export const OpenAiImagesFormSchema = OpenAiImagesSchema.extend({
  image: z.union([FileSchema, z.array(FileSchema), PictureSchema]).optional(),
  images: z.array(z.union([FileSchema, PictureSchema])).optional(),
  mask: z.union([FileSchema, PictureSchema]).optional(),
}).meta({ id: 'CreateImagesForm' });

/** One image that was made. */
const ImageSchema = z.object({
  url: z.string().optional(),
  b64_json: z.string().optional(),
  revised_prompt: z.string().optional(),
});

/** What was made. */
export const ImagesSchema = z
  .object({
    created: z.int(),
    data: z.array(ImageSchema),
    failed: z
      .array(z.object({ index: z.int(), code: z.string(), message: z.string() }))
      .optional()
      .meta({ description: 'Those of the images that could not be made.' }),
  })
  .meta({ id: 'Images' });

/** A task whose images are not there. */
export const ImageTaskSchema = z
  .object({
    id: z.string(),
    object: z.literal('image.task'),
    status: z.enum(['queued', 'in_progress', 'completed', 'failed']),
    created_at: z.int(),
    error: z.object({ code: z.string(), message: z.string() }).optional(),
  })
  .meta({ id: 'ImageTask' });
