import { z } from 'zod';
import { CallbackUrlSchema } from '../media/callback-url.ts';
import { FlatTaskSchema } from '../media/flat-task.ts';
import { MaxCostSchema } from '../media/cost-controls.ts';
import { TASK_OPTION_FIELDS } from '../media/task-options.ts';
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

/** Kling's length limit for the prompt and the negative prompt. */
const MAX_PROMPT = 2_500;

/** The client's own name for a task. It can replace the task id in requests, so it must not look like one. */
const ExternalIdSchema = z
  .string({ error: 'must be a string' })
  // Unpaired surrogates (Cs) could not be returned unchanged.
  .regex(/^[^\p{Cc}\p{Cs}]{1,256}$/u, { error: 'must be 1 to 256 printable characters' })
  .refine((name) => name.trim() !== '', { error: 'must not be blank' })
  .refine((name) => !/^(?:video|image)_/.test(name), {
    error: 'must not start with video_ or image_, which are prefixes of task ids',
  })
  // Generators of test data do not support the classes in the pattern above.
  .meta({
    override: ({ jsonSchema }: { jsonSchema: { pattern?: string } }) => {
      delete jsonSchema.pattern;
      Object.assign(jsonSchema, { minLength: 1, maxLength: 256 });
    },
  });

const listSchema = z.array(z.unknown(), { error: 'must be an array' });

/** Fields that both endpoints share. Unknown fields become options for the upstream. */
const shared = {
  model_name: ModelSchema.optional().meta({
    description: 'Default: the default model of this gateway.',
    example: 'kling-v2-6',
  }),
  model: ModelSchema.optional().meta({ description: 'Alias of `model_name`, which wins.' }),
  prompt: promptText(MAX_PROMPT).optional().meta({ description: 'Description of the video.' }),
  negative_prompt: boundedText(MAX_PROMPT).optional(),
  duration: SecondsSchema.optional().meta({ description: 'Seconds.', example: '5' }),
  aspect_ratio: AspectRatioSchema.optional().meta({ example: '16:9' }),
  seed: SeedSchema.optional(),
  sound: z.enum(['on', 'off'], { error: 'must be on or off' }).optional(),
  watermark_info: z
    .object({ enabled: FlagSchema }, { error: 'must be an object with enabled' })
    .optional()
    .meta({ description: 'Whether the vendor adds a watermark.' }),
  cfg_scale: decimalNumber(0, 1).optional(),
  mode: z.enum(['std', 'pro'], { error: 'must be std or pro' }).optional(),
  camera_control: CameraControlSchema.optional(),
  multi_shot: FlagSchema.optional(),
  shot_type: boundedText(64).optional(),
  multi_prompt: listSchema.optional(),
  voice_list: listSchema.optional(),
  element_list: listSchema.optional(),
  callback_url: CallbackUrlSchema.optional().meta({
    description: "Called once when the task has finished, with a body in the vendor's shape and signed like a webhook.",
  }),
  external_task_id: ExternalIdSchema.optional().meta({
    description:
      'Your own name of the task, unique among your tasks and without the prefixes of task ids. You can retrieve the task by it.',
  }),
  max_cost_usd: MaxCostSchema,
  ...TASK_OPTION_FIELDS,
  metadata: MetadataSchema.optional(),
};
const notObject = { error: 'body must be a JSON object' };

export const Text2VideoSchema = z.looseObject(shared, notObject).meta({ id: 'Text2Video' });

const image = z.string({ error: 'must be a URL or base64' });

export const Image2VideoSchema = z
  .looseObject(
    {
      ...shared,
      image: image.optional().meta({ description: 'First frame: a URL, or base64 without a data URL prefix.' }),
      image_tail: image.optional().meta({ description: 'Last frame, in the same format.' }),
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

/** The creation response, with the fields of both the flat object and Kling's envelope. */
export const CreatedTaskSchema = FlatTaskSchema.pick({ task_id: true, status: true })
  .extend({ ...envelope, data: z.object(taskData) })
  .meta({ id: 'CreatedVideoTask' });

export const TaskSchema = FlatTaskSchema.extend({
  ...envelope,
  data: z.object({
    ...taskData,
    task_result: z
      .object({ videos: z.array(z.object({ id: z.string(), url: z.string(), duration: z.string() })) })
      .optional(),
  }),
}).meta({ id: 'VideoTaskEnvelope' });

export const ErrorSchema = OpenAiErrorSchema.extend({
  code: z.int(),
  message: z.string(),
  request_id: z.string(),
}).meta({ id: 'VideoTaskError' });
