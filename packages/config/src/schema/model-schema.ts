import { z } from 'zod';
import { flag, optionalCount } from './field-types.ts';
import { PriceSchema } from './price-schema.ts';
import { QuirksSchema } from './quirks-schema.ts';
import { MODEL_CAPABILITIES } from '@sluice/vendors';

const RouteSchema = z.strictObject({
  upstream: z.string().min(1).describe('Name of the upstream that serves the model.'),
  model: z
    .string()
    .min(1)
    .describe("The model's name at the upstream; if `id` is a pattern, `*` is replaced by the matched text."),
  quirks: QuirksSchema.optional().describe(
    "How the model differs from its protocol there; overrides the upstream's quirks.",
  ),
});

export const ModelSchema = z.strictObject({
  id: z.string().min(1).describe('Model id for clients; `*` matches any characters. An exact id wins over a pattern.'),
  routes: z.array(RouteSchema).min(1).describe('Upstreams that serve the model, in the order in which they are tried.'),
  capabilities: z
    .array(z.enum(MODEL_CAPABILITIES))
    .min(1)
    .optional()
    .describe('Capabilities of the model. Absent: all capabilities of its upstreams.'),
  strict: flag().describe(
    "Whether a request that the upstream's protocol cannot carry completely is rejected with 400.",
  ),
  default_seconds: z
    .string()
    .regex(/^(?:[1-9]\d*(?:\.\d+)?|0\.\d*[1-9]\d*)$/, 'must be a positive decimal in quotes, such as "4"')
    .default('4')
    .describe('Duration reported for a task without a requested one, until the upstream reports it.'),
  run_deadline_ms: optionalCount().describe(
    'How long a task of this model may run at the upstream. Absent: `tasks.run_deadline_ms`.',
  ),
  output_tokens: optionalCount().describe('Output tokens reserved for a request without a limit. Absent: 4096.'),
  price: PriceSchema.optional(),
});
