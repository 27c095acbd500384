import { z } from 'zod';
import { checkBody } from '../../schema/check-body.ts';
import { names } from '../../schema/names.ts';
import { isObject } from '../../schema/json.ts';
import { invalidField, klingError } from './kling-error.ts';

const PROMPT_CHARACTERS = 2500;
const prompt = z.string().max(PROMPT_CHARACTERS);
const share = z.number().min(0).max(1);
const seconds = Array.from({ length: 13 }, (_, index) => String(index + 3));

const common = {
  negative_prompt: prompt.optional(),
  callback_url: z.url().optional(),
  external_task_id: z.string().optional(),
  watermark_info: z.object({ enabled: z.boolean() }).optional(),
};

const video = {
  ...common,
  mode: z.enum(['std', 'pro']).default('std'),
  // A string, not a number (Kling docs, "Text to Video").
  duration: z.enum(seconds).default('5'),
};

const AspectRatio = z.enum(['16:9', '9:16', '1:1']);

const axis = z.number().min(-10).max(10).optional();

const CameraControl = z.discriminatedUnion('type', [
  z.object({
    type: z.enum(['down_back', 'forward_up', 'right_turn_forward', 'left_turn_forward']),
    config: z.undefined().optional(),
  }),
  z.object({
    type: z.literal('simple'),
    config: z
      .object({ horizontal: axis, vertical: axis, pan: axis, tilt: axis, roll: axis, zoom: axis })
      .refine((config) => Object.values(config).filter((value) => value !== undefined && value !== 0).length === 1, {
        error: 'must have exactly one value that is not 0',
      }),
  }),
]);

const motion = {
  cfg_scale: share.optional(),
  sound: z.enum(['on', 'off']).optional(),
  camera_control: CameraControl.optional(),
};

const TEXT_MODELS = names('kling-v1 kling-v1-6 kling-v2-master kling-v2-1-master kling-v2-5-turbo kling-v2-6 kling-v3');

const TrajectoryMask = z.object({
  mask: z.string(),
  trajectories: z
    .array(z.object({ x: z.int(), y: z.int() }))
    .min(2)
    .max(77),
});

export const TextToVideo = z.object({
  ...video,
  ...motion,
  model_name: z.enum(TEXT_MODELS).default('kling-v1'),
  prompt: prompt.min(1),
  aspect_ratio: AspectRatio.default('16:9'),
});

export const ImageToVideo = z.object({
  ...video,
  ...motion,
  model_name: z.enum([...TEXT_MODELS, 'kling-v1-5', 'kling-v2-1']).default('kling-v1'),
  prompt: prompt.optional(),
  image: z.string().optional(),
  image_tail: z.string().optional(),
  static_mask: z.string().optional(),
  dynamic_masks: z.array(TrajectoryMask).max(6).optional(),
});

export const ImagesToVideo = z.object({
  ...video,
  model_name: z.literal('kling-v1-6').default('kling-v1-6'),
  prompt: prompt.min(1),
  image_list: z
    .array(z.object({ image: z.string() }))
    .min(1)
    .max(4),
  aspect_ratio: AspectRatio.default('16:9'),
});

export const ImageGeneration = z.object({
  ...common,
  model_name: z
    .enum(['kling-v1', 'kling-v1-5', 'kling-v2', 'kling-v2-new', 'kling-v2-1', 'kling-v3'])
    .default('kling-v1'),
  prompt: prompt.min(1),
  image: z.string().optional(),
  image_reference: z.enum(['subject', 'face']).optional(),
  image_fidelity: share.optional(),
  human_fidelity: share.optional(),
  resolution: z.enum(['1k', '2k']).default('1k'),
  n: z.int().min(1).max(9).default(1),
  aspect_ratio: z.enum(['16:9', '9:16', '1:1', '4:3', '3:4', '3:2', '2:3', '21:9']).default('16:9'),
});

/**
 * null and empty strings are treated as omitted, as in Kling's examples. Unknown fields are ignored, including `model`
 * (Kling docs: the field is `model_name`).
 * @throws WireError 1200 if the body is not an object, 1201 with the name of an invalid field.
 */
export function readKlingBody<T>(schema: z.ZodType<T>, body: unknown): T {
  if (!isObject(body)) {
    throw klingError(400, 1200, 'Invalid request parameters: the body must be a JSON object');
  }
  const fields = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null && value !== ''));
  return checkBody(schema, fields, ({ field, message }) => invalidField(field, `value is invalid: ${message}`));
}
