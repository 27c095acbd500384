import { z } from 'zod';

/** Maximum number of inputs per request. OpenAI accepts fewer, other vendors more. */
const MAX_INPUTS = 2_048;

const NOT_INPUT =
  'must be a string, an array of strings, or an array of parts of type text and image_url; none may be empty';
const Text = z.string().min(1, 'must not be empty');
const PartSchema = z.discriminatedUnion(
  'type',
  [
    z.object({ type: z.literal('text'), text: Text }),
    z.object({
      type: z.literal('image_url'),
      image_url: z.object({
        url: z
          .string()
          .regex(/^(?:https?:\/\/|data:image\/)/i, 'must be an http or https URL, or a data URL of an image'),
      }),
    }),
  ],
  'must be a part of type text or image_url',
);

/** Body of a moderation request (openai-node 7.55, `resources/moderations`). */
export const ModerationsSchema = z
  .looseObject({
    model: z
      .string()
      .min(1, 'must not be empty')
      .optional()
      .meta({ description: 'Absent: `defaults.moderation_model`.' }),
    input: z.union([Text, z.array(Text).min(1).max(MAX_INPUTS), z.array(PartSchema).min(1).max(MAX_INPUTS)], {
      error: ({ input }) => (input === undefined ? 'is required' : NOT_INPUT),
    }),
  })
  .meta({ id: 'CreateModeration' });

export const ModerationSchema = z
  .object({
    id: z.string(),
    model: z.string(),
    results: z.array(
      z.object({
        flagged: z.boolean(),
        categories: z.record(z.string(), z.boolean().nullable()),
        category_scores: z.record(z.string(), z.number().nullable()),
        category_applied_input_types: z.record(z.string(), z.array(z.string())).optional(),
      }),
    ),
  })
  .meta({ id: 'Moderation' });
