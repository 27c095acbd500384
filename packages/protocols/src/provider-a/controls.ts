import { z } from 'zod';

const AXES = ['horizontal', 'vertical', 'pan', 'tilt', 'roll', 'zoom'] as const;
const MAX_MASKS = 6;

const range = { error: 'must be a number from -10 to 10' };
const AxisSchema = z.number(range).min(-10, range).max(10, range).optional();

const ConfigSchema = z
  .strictObject(
    {
      horizontal: AxisSchema,
      vertical: AxisSchema,
      pan: AxisSchema,
      tilt: AxisSchema,
      roll: AxisSchema,
      zoom: AxisSchema,
    },
    {
      error: ({ code }) =>
        code === 'unrecognized_keys' ? `must contain only ${AXES.join(', ')}` : 'must be an object',
    },
  )
  .refine((config) => AXES.filter((axis) => (config[axis] ?? 0) !== 0).length === 1, {
    error: 'must have exactly one value other than 0',
  });

/** Camera movement. Kling requires `config` for the type `simple` and rejects it for other types. */
export const CameraControlSchema = z
  .object(
    {
      type: z.enum(['simple', 'down_back', 'forward_up', 'right_turn_forward', 'left_turn_forward'], {
        error: 'must be simple, down_back, forward_up, right_turn_forward, or left_turn_forward',
      }),
      config: ConfigSchema.optional(),
    },
    { error: 'must be an object with type' },
  )
  .refine(({ type, config }) => type !== 'simple' || config !== undefined, {
    path: ['config'],
    error: 'is required for the type simple',
  })
  .refine(({ type, config }) => type === 'simple' || config === undefined, {
    path: ['config'],
    error: 'is allowed only for the type simple',
  });

const number = { error: 'must be a number' };
const TrajectorySchema = z.object({ x: z.number(number), y: z.number(number) }, { error: 'must be an object' });

/** Moving areas and their trajectories (Kling's motion brush). */
export const DynamicMasksSchema = z
  .array(
    z.object(
      {
        mask: z.string({ error: 'must be a URL or base64' }),
        trajectories: z.array(TrajectorySchema, { error: 'must be an array of points' }),
      },
      { error: 'must be an object with mask and trajectories' },
    ),
    { error: 'must be an array of masks' },
  )
  .max(MAX_MASKS, { error: `must have at most ${MAX_MASKS} items` });
