import { z } from 'zod';

const MAX_PROMPT = 32_768;
const MAX_SECONDS = 3_600;

/** Text that is a number of seconds, or a number; what is not known of a model is left to its upstream. */
const SecondsSchema = z
  .union([z.string(), z.number()], { error: 'must be a number of seconds, e.g. "4"' })
  // A number is held to what its text would be: 1e-7 and 0.30000000000000004 are no durations.
  .refine((seconds) => /^\d{1,4}(\.\d{1,3})?$/.test(String(seconds)), {
    error: 'must be a number of seconds with at most 3 decimals, e.g. "4"',
    abort: true,
  })
  .refine((seconds) => Number(seconds) > 0 && Number(seconds) <= MAX_SECONDS, {
    error: `must be more than 0 and at most ${MAX_SECONDS}`,
  });

/** A picture told by reference; a file is sent as the field itself. */
const ImageReferenceSchema = z
  .looseObject(
    {
      image_url: z.string({ error: 'must be an http(s) URL or a data URL' }).optional(),
      file_id: z.string({ error: 'must be a string' }).optional(),
    },
    { error: 'must be a picture file, or an object with image_url' },
  )
  .meta({ description: 'A picture by URL: `image_url` is an http(s) URL or a base64 data URL.' });

/** Body of `POST /v1/videos` as JSON; every other key becomes metadata for the upstream. */
export const CreateVideoSchema = z
  .looseObject(
    {
      prompt: z
        .string({ error: ({ input }) => (input === undefined ? 'is required: say what to show' : 'must be a string') })
        .max(MAX_PROMPT, { error: `must have at most ${MAX_PROMPT} characters` })
        .refine((prompt) => prompt.trim() !== '', { error: 'is required: say what to show' })
        .meta({ description: 'What the video shows.', example: 'A red kite over a lake' }),
      model: z
        .string({ error: 'must be a string' })
        .max(256, { error: 'must have at most 256 characters' })
        .optional()
        .meta({ description: 'Absent: the default of this gateway.' }),
      seconds: SecondsSchema.optional().meta({ description: 'Wanted duration.', example: '4' }),
      size: z
        .string({ error: 'must be a string such as 1280x720' })
        .regex(/^[1-9]\d{1,4}x[1-9]\d{1,4}$/, { error: 'must be WIDTHxHEIGHT in pixels, e.g. 1280x720' })
        .optional()
        .meta({ description: 'Frame size as WIDTHxHEIGHT in pixels.', example: '1280x720' }),
      input_reference: ImageReferenceSchema.optional(),
      metadata: z
        .record(z.string(), z.unknown(), { error: 'must be an object' })
        .optional()
        .meta({ description: 'Options that the upstream knows; `model` in it is dropped.' }),
    },
    { error: 'body must be a JSON object' },
  )
  .meta({ id: 'CreateVideo' });

/** The same as a multipart form, where the picture is a file. Documents only: the fields are checked as above. */
export const CreateVideoFormSchema = CreateVideoSchema.extend({
  input_reference: z
    .union([
      z.string().meta({ override: { type: 'string', contentMediaType: 'application/octet-stream' } }),
      ImageReferenceSchema,
    ])
    .optional()
    .meta({ description: 'A PNG, JPEG, WebP or GIF file, before or after the other fields.' }),
}).meta({ id: 'CreateVideoForm' });

/** Query of `GET /v1/videos`. */
export const ListVideosSchema = z.object({
  after: z
    .string({ error: 'must be the id of a video' })
    .regex(/^[\w-]{1,64}$/, { error: 'must be the id of a video' })
    .optional()
    .meta({ description: 'Id of the last video of the page before.' }),
  limit: z.coerce
    .number({ error: 'must be a number from 1 to 100' })
    .int({ error: 'must be a whole number from 1 to 100' })
    .min(1, { error: 'must be a number from 1 to 100' })
    .max(100, { error: 'must be a number from 1 to 100' })
    .default(20)
    .meta({ description: 'Videos on the page.' }),
  order: z
    .enum(['asc', 'desc'], { error: 'must be asc or desc' })
    .default('desc')
    .meta({ description: 'By creation.' }),
});

/** Query of `GET /v1/videos/{id}/content`, for the documents. */
export const ContentQuerySchema = z.object({
  variant: z.literal('video').optional().meta({ description: 'Only the video itself is kept; others are 404.' }),
});

/** A video as this protocol shows it. Times are Unix seconds. */
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
    completed_at: z.int().optional(),
    expires_at: z.int().optional(),
    error: z.object({ code: z.string(), message: z.string() }).optional(),
    metadata: z.object({ url: z.string() }).optional(),
  })
  .meta({ id: 'Video' });

/** A page of videos. */
export const VideoPageSchema = z
  .object({
    object: z.literal('list'),
    data: z.array(VideoSchema),
    first_id: z.string().nullable(),
    last_id: z.string().nullable(),
    has_more: z.boolean(),
  })
  .meta({ id: 'VideoPage' });

/** What a deletion answers. */
export const DeletedVideoSchema = z
  .object({ id: z.string(), object: z.literal('video.deleted'), deleted: z.literal(true) })
  .meta({ id: 'DeletedVideo' });

/** Every error of this protocol. */
export const ErrorSchema = z
  .object({
    error: z.object({
      message: z.string(),
      type: z.string(),
      param: z.string().nullable(),
      code: z.string(),
    }),
  })
  .meta({ id: 'Error' });
