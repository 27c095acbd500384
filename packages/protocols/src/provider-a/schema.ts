import { z } from 'zod';
import { CallbackUrlSchema } from '../media/callback-url.ts';
import { FlatTaskSchema } from '../media/flat-task.ts';
import {
  AspectRatioSchema,
  boundedText,
  decimalNumber,
  FlagSchema,
  MetadataSchema,
  ModelSchema,
  promptText,
  SecondsSchema,
  SeedSchema,
} from '../media/fields.ts';
import { OpenAiErrorSchema } from '../errors/openai-error.ts';
import { CameraControlSchema, DynamicMasksSchema } from './controls.ts';

/** Kling's bound of both prompts. */
const MAX_PROMPT = 2_500;

/** A client's own name of a task. It is looked up where ids are, so it may not look like one of ours. */
const ExternalIdSchema = z
  .string({ error: 'must be a string' })
  // Half a character (Cs) could not be told back as it came.
  .regex(/^[^\p{Cc}\p{Cs}]{1,256}$/u, { error: 'must have 1 to 256 printable characters' })
  .refine((name) => name.trim() !== '', { error: 'must not be blank' })
  .refine((name) => !/^(?:video|image)_/.test(name), { error: 'must not begin with video_ or image_, as ids do here' });

const listSchema = z.array(z.unknown(), { error: 'must be a list' });

/** What both ways of making a video have in common; every other key becomes an option for the upstream. */
const shared = {
  model_name: ModelSchema.optional().meta({
    description: 'Absent: the default of this gateway.',
    example: 'kling-v2-6',
  }),
  model: ModelSchema.optional().meta({ description: 'The same, for clients that say so; `model_name` wins.' }),
  prompt: promptText(MAX_PROMPT).optional().meta({ description: 'What the video shows.' }),
  negative_prompt: boundedText(MAX_PROMPT).optional(),
  duration: SecondsSchema.optional().meta({ description: 'Seconds.', example: '5' }),
  aspect_ratio: AspectRatioSchema.optional().meta({ example: '16:9' }),
  seed: SeedSchema.optional(),
  sound: z.enum(['on', 'off'], { error: 'must be on or off' }).optional(),
  watermark_info: z
    .object({ enabled: FlagSchema }, { error: 'must be an object with enabled' })
    .optional()
    .meta({ description: 'Whether the vendor marks the video.' }),
  cfg_scale: decimalNumber(0, 1).optional(),
  mode: z.enum(['std', 'pro'], { error: 'must be std or pro' }).optional(),
  camera_control: CameraControlSchema.optional(),
  multi_shot: FlagSchema.optional(),
  shot_type: boundedText(64).optional(),
  multi_prompt: listSchema.optional(),
  voice_list: listSchema.optional(),
  element_list: listSchema.optional(),
  callback_url: CallbackUrlSchema.optional().meta({
    description: 'Told once when the task has ended, in the vendor’s shape, signed as webhooks are.',
  }),
  external_task_id: ExternalIdSchema.optional().meta({
    description:
      'A name of yours, unique among your tasks, that does not begin as ids do here; the task can be retrieved by it.',
  }),
  metadata: MetadataSchema.optional(),
};
const notObject = { error: 'body must be a JSON object' };

/** Body of text2video. */
export const Text2VideoSchema = z.looseObject(shared, notObject).meta({ id: 'Text2Video' });

const image = z.string({ error: 'must be a URL or base64' });

/** Body of image2video. */
export const Image2VideoSchema = z
  .looseObject(
    {
      ...shared,
      image: image.optional().meta({ description: 'First frame: a URL, or base64 without the head of a data URL.' }),
      image_tail: image.optional().meta({ description: 'Last frame, in the same way.' }),
      static_mask: image.optional(),
      dynamic_masks: DynamicMasksSchema.optional(),
    },
    notObject,
  )
  .meta({ id: 'Image2Video' });

const envelope = { code: z.literal(0), message: z.string(), request_id: z.string() };
const taskData = {
  task_id: z.string(),
  task_status: z.enum(['submitted', 'processing', 'succeed', 'failed']),
  task_status_msg: z.string().optional(),
  task_info: z.object({ external_task_id: z.string().optional() }),
  created_at: z.int().meta({ description: 'Unix milliseconds.' }),
  updated_at: z.int().meta({ description: 'Unix milliseconds.' }),
};

/** What a creation answers: the flat object and Kling's envelope in one. */
export const CreatedTaskSchema = FlatTaskSchema.pick({ task_id: true, status: true })
  .extend({ ...envelope, data: z.object(taskData) })
  .meta({ id: 'CreatedVideoTask' });

/** What a retrieval answers, likewise. */
export const TaskSchema = FlatTaskSchema.extend({
  ...envelope,
  data: z.object({
    ...taskData,
    task_result: z
      .object({ videos: z.array(z.object({ id: z.string(), url: z.string(), duration: z.string() })) })
      .optional(),
  }),
}).meta({ id: 'VideoTaskEnvelope' });

/** Every error of this protocol. */
export const ErrorSchema = OpenAiErrorSchema.extend({
  code: z.int(),
  message: z.string(),
  request_id: z.string(),
}).meta({ id: 'VideoTaskError' });
