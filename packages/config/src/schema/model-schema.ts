import { z } from 'zod';
import { PriceSchema } from './price-schema.ts';
import { QuirksSchema } from './quirks-schema.ts';
import { MODEL_CAPABILITIES } from '@sluice/vendors';

const RouteSchema = z.strictObject({
  upstream: z.string().min(1).describe('Name of the upstream that serves the model.'),
  model: z
    .string()
    .min(1)
    .describe("The model's name there; where `id` is a pattern, `*` stands for the text that the pattern matched."),
  quirks: QuirksSchema.optional().describe("How the model differs there; each field wins over the upstream's."),
});

export const ModelSchema = z.strictObject({
  id: z
    .string()
    .min(1)
    .describe('Name that clients ask for; `*` stands for any run of characters. An exact name wins over a pattern.'),
  routes: z.array(RouteSchema).min(1).describe('Where the model is served, in the order in which they are tried.'),
  capabilities: z
    .array(z.enum(MODEL_CAPABILITIES))
    .min(1)
    .optional()
    .describe('What the model may be called for. Absent: all capabilities of its upstreams.'),
  strict: z
    .boolean()
    .default(false)
    .describe("Whether a request is refused with 400 when the upstream's protocol cannot carry all of it."),
  default_seconds: z
    .string()
    .regex(/^(?:[1-9]\d*(?:\.\d+)?|0\.\d*[1-9]\d*)$/, 'must be a positive decimal in quotes, such as "4"')
    .default('4')
    .describe('Duration reported for a task without a requested one, until the upstream reports it.'),
  run_deadline_ms: z
    .int()
    .min(1)
    .optional()
    .describe('How long a task of this model may run at the upstream. Absent: `tasks.run_deadline_ms`.'),
  output_tokens: z
    .int()
    .min(1)
    .optional()
    .describe('Output tokens that are reserved for an answer whose request sets no bound. Absent: 4096.'),
  price: PriceSchema.optional(),
});
