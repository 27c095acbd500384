import { z } from 'zod';
import { TaskCallbackUrlSchema } from './callback-url.ts';
import { PictureSchema } from './input-image.ts';
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

/** A wish for a video as JSON, of the two protocols that follow OpenAI's; every other key becomes metadata. */
export const VideoParamsSchema = z
  .looseObject(
    {
      prompt: promptText()
        .optional()
        .meta({ description: 'What the video shows. Required without a picture.', example: 'A red kite over a lake' }),
      model: ModelSchema.optional().meta({ description: 'Absent: the default of this gateway.' }),
      seconds: SecondsSchema.optional().meta({ description: 'Wanted duration.', example: '4' }),
      duration: SecondsSchema.optional().meta({ description: 'Another name of `seconds`.' }),
      size: SizeSchema.optional().meta({ description: 'Frame size as WIDTHxHEIGHT in pixels.', example: '1280x720' }),
      width: SideSchema.optional().meta({ description: 'With `height`: another way to tell `size`.' }),
      height: SideSchema.optional(),
      aspect_ratio: AspectRatioSchema.optional().meta({ description: 'Shape of the frame instead of a size.' }),
      resolution: ResolutionSchema.optional().meta({ description: 'Height instead of a size, e.g. 720p.' }),
      fps: FpsSchema.optional(),
      seed: SeedSchema.optional().meta({ description: '-1: none.' }),
      negative_prompt: boundedText(MAX_PROMPT).optional().meta({ description: 'What the video shall not show.' }),
      generate_audio: FlagSchema.optional().meta({ description: 'Whether sound is made.' }),
      watermark: FlagSchema.optional(),
      prompt_extend: FlagSchema.optional().meta({ description: 'Whether the vendor may rewrite the prompt.' }),
      input_reference: PictureSchema.optional(),
      image: PictureSchema.optional().meta({ description: 'A picture by URL, data URL or base64.' }),
      images: z
        .array(PictureSchema, { error: 'must be a list of pictures' })
        .optional()
        .meta({ description: 'One is the first frame, two are the first and the last, more are references.' }),
      n: integer(1, 1, 'must be 1: each video is a task of its own')
        .optional()
        .meta({ description: 'One video a task.' }),
      response_format: z
        .literal('url', { error: 'must be url: a video is fetched from the URL of its content' })
        .optional(),
      callback_url: TaskCallbackUrlSchema,
      metadata: MetadataSchema.optional(),
    },
    { error: 'body must be a JSON object' },
  )
  .meta({ id: 'CreateVideo' });

const FileSchema = z.string().meta({ override: { type: 'string', contentMediaType: 'application/octet-stream' } });
const FilesSchema = z
  .union([FileSchema, PictureSchema])
  .optional()
  .meta({ description: 'A PNG, JPEG, WebP or GIF file, before or after the other fields.' });

/** The same as a multipart form, where pictures are files. Documents only: the fields are checked as above. */
export const VideoParamsFormSchema = VideoParamsSchema.extend({
  input_reference: FilesSchema,
  image: FilesSchema,
  images: z.array(z.union([FileSchema, PictureSchema])).optional(),
}).meta({ id: 'CreateVideoForm' });
