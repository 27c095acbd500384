import { z } from 'zod';
import { requiredOr } from '../json/plain-text.ts';
import { MaxCostSchema } from '../media/cost-controls.ts';
import { TASK_OPTION_FIELDS } from '../media/task-options.ts';
import { COST_FIELDS } from '../media/task-cost.ts';
import { AspectRatioSchema, MetadataSchema, ModelSchema, promptText, SeedSchema, integer } from '../media/fields.ts';
import { OpenAiErrorSchema } from '../errors/openai-error.ts';

/** A video's frame count is 24 per second plus 1, so five seconds have 121 frames. */
export const FRAMES_PER_SECOND = 24;
const MAX_SECONDS = 3_600;
const notFrames = { error: 'must be 24 for each second plus 1 (e.g. 121 for 5 seconds)' };

const version = z
  .string({ error: 'is required (e.g. 2022-08-31)' })
  .min(1, { error: 'is required (e.g. 2022-08-31)' })
  .meta({ example: '2022-08-31' });

/** Query of every call. Its `Action` selects the endpoint. */
export const QuerySchema = z.object({ Version: version });

/** The query of a single action, for the API reference. */
export function querySchema(action: string) {
  return QuerySchema.extend({ Action: z.literal(action) });
}

const imageList = (error: string) => z.array(z.string({ error: 'must be a string' }), { error });

/** Body of a submission. Unknown fields become options for the upstream. */
export const SubmitSchema = z
  .looseObject(
    {
      req_key: ModelSchema.optional().meta({
        description: 'The model. Default: the default model of this gateway.',
        example: 'jimeng_t2v_v30',
      }),
      prompt: promptText().optional().meta({ description: 'Description of the video. Required without an image.' }),
      binary_data_base64: imageList('must be an array of base64 strings')
        .optional()
        .meta({ description: 'Images: one is the first frame, two the first and the last, more are references.' }),
      image_urls: imageList('must be an array of URLs').optional().meta({ description: 'The same by URL.' }),
      seed: SeedSchema.optional().meta({ description: '-1: none.' }),
      frames: integer(FRAMES_PER_SECOND + 1, MAX_SECONDS * FRAMES_PER_SECOND + 1)
        .refine((frames) => (frames - 1) % FRAMES_PER_SECOND === 0, notFrames)
        .optional()
        .meta({ description: '24 for each second plus 1.', example: 121 }),
      aspect_ratio: AspectRatioSchema.optional().meta({ example: '16:9' }),
      max_cost_usd: MaxCostSchema,
      ...TASK_OPTION_FIELDS,
      metadata: MetadataSchema.optional(),
    },
    { error: 'body must be a JSON object' },
  )
  .meta({ id: 'SubmitVideo' });

export const GetResultSchema = z
  .looseObject(
    {
      req_key: ModelSchema.optional(),
      task_id: z.string(requiredOr('must be a string')).max(256, { error: 'must be at most 256 characters' }),
      req_json: z.string({ error: 'must be an object as JSON text' }).optional(),
    },
    { error: 'body must be a JSON object' },
  )
  .meta({ id: 'GetVideoResult' });

const envelope = {
  code: z.int().meta({ description: '10000 for a successful call.' }),
  message: z.string(),
  request_id: z.string(),
  status: z.int().meta({ description: 'The same as `code`.' }),
  time_elapsed: z.string(),
};

export const SubmittedSchema = z
  .object({ ...envelope, data: z.object({ task_id: z.string() }) })
  .meta({ id: 'SubmittedVideo' });

/** The retrieval response. A failed task has its code at the top level, no data, and status 400. */
export const ResultSchema = z
  .object({
    ...envelope,
    data: z
      .object({
        status: z.enum(['in_queue', 'generating', 'done', 'not_found', 'expired']),
        video_url: z.string().optional(),
        aigc_meta_tagged: z.boolean().optional(),
        ...COST_FIELDS,
      })
      .nullable(),
  })
  .meta({ id: 'VideoResult' });

/** The format of every error in this protocol. A failed task's error has no `error` object. */
export const ErrorSchema = z
  .object({ ...envelope, data: z.null(), error: OpenAiErrorSchema.shape.error.optional() })
  .meta({ id: 'VideoResultError' });
