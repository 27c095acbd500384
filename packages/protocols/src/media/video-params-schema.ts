import { z } from 'zod';
import { TaskCallbackUrlSchema } from './callback-url.ts';
import { MaxCostSchema } from './cost-controls.ts';
import { TASK_OPTION_FIELDS } from './task-options.ts';
import { ImageInputSchema } from './input-image.ts';
import {
  AspectRatioSchema,
  boundedText,
  FlagSchema,
  FpsSchema,
  MAX_PROMPT,
  MetadataSchema,
  ModelSchema,
  promptText,
  ResolutionSchema,
  SecondsSchema,
  SeedSchema,
  SideSchema,
  SizeSchema,
  integer,
} from './fields.ts';

/** For the two protocols based on OpenAI's. Unknown keys become metadata. */
export const VideoParamsSchema = z
  .looseObject(
    {
      prompt: promptText().optional().meta({
        description: 'Description of the video. Required without an image.',
        example: 'A red kite over a lake',
      }),
      model: ModelSchema.optional().meta({ description: "Absent: the gateway's default model." }),
      seconds: SecondsSchema.optional().meta({ description: 'Duration in seconds.', example: '4' }),
      duration: SecondsSchema.optional().meta({ description: 'Alias of `seconds`.' }),
      size: SizeSchema.optional().meta({ description: 'Frame size as WIDTHxHEIGHT in pixels.', example: '1280x720' }),
      width: SideSchema.optional().meta({ description: 'With `height`: alternative to `size`.' }),
      height: SideSchema.optional(),
      aspect_ratio: AspectRatioSchema.optional().meta({ description: 'Shape of the frame, alternative to `size`.' }),
      resolution: ResolutionSchema.optional().meta({
        description: 'Height of the frame, alternative to `size` (e.g. 720p).',
      }),
      fps: FpsSchema.optional(),
      seed: SeedSchema.optional().meta({ description: '-1: none.' }),
      negative_prompt: boundedText(MAX_PROMPT).optional().meta({ description: 'Description of content to avoid.' }),
      generate_audio: FlagSchema.optional().meta({ description: 'Whether to generate sound.' }),
      watermark: FlagSchema.optional(),
      prompt_extend: FlagSchema.optional().meta({ description: 'Whether the vendor may rewrite the prompt.' }),
      input_reference: ImageInputSchema.optional(),
      image: ImageInputSchema.optional().meta({ description: 'An image by URL, data URL, or base64.' }),
      images: z
        .array(ImageInputSchema, { error: 'must be an array of images' })
        .optional()
        .meta({ description: 'One image is the first frame, two are the first and the last, more are references.' }),
      n: integer(1, 1, 'must be 1. Send one request for each video')
        .optional()
        .meta({ description: 'Number of videos; always 1.' }),
      response_format: z.literal('url', { error: 'must be url. Download the video from its content URL' }).optional(),
      callback_url: TaskCallbackUrlSchema,
      max_cost_usd: MaxCostSchema,
      ...TASK_OPTION_FIELDS,
      metadata: MetadataSchema.optional(),
    },
    { error: 'body must be a JSON object' },
  )
  .meta({ id: 'CreateVideo' });

const FileSchema = z.string().meta({ override: { type: 'string', contentMediaType: 'application/octet-stream' } });
const FilesSchema = z
  .union([FileSchema, ImageInputSchema])
  .optional()
  .meta({ description: 'A PNG, JPEG, WebP, or GIF file, before or after the other fields.' });

/** The same body with images as files, for the API reference. */
export const VideoParamsFormSchema = VideoParamsSchema.extend({
  input_reference: FilesSchema,
  image: FilesSchema,
  images: z.array(z.union([FileSchema, ImageInputSchema])).optional(),
}).meta({ id: 'CreateVideoForm' });
