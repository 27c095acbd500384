import { z } from 'zod';
import { flag, optionalCount } from './field-types.ts';
import { PriceSchema } from './price-schema.ts';
import { QuirksSchema } from './quirks-schema.ts';
import { MODEL_CAPABILITIES } from '@sluice/vendors';

export const ROUTING_POLICIES = ['priority', 'weighted', 'least_busy', 'fastest'] as const;
export type RoutingPolicy = (typeof ROUTING_POLICIES)[number];

const RouteSchema = z.strictObject({
  upstream: z.string().min(1).describe('Name of the upstream that serves the model.'),
  model: z
    .string()
    .min(1)
    .describe(
      "The model's name at the upstream. If `id` is a pattern, `*` is replaced by the text that the pattern matched.",
    ),
  quirks: QuirksSchema.optional().describe(
    "How the model differs from the protocol at this upstream. Overrides the upstream's quirks.",
  ),
  priority: optionalCount().describe(
    'Routes with a lower number are tried first. If omitted, 1. Routes with the same number are in the order of `policy`.',
  ),
  weight: optionalCount().describe(
    "The route's share of the model's traffic, for the policies `weighted` and `least_busy`. If omitted, 1.",
  ),
});

export const ModelSchema = z.strictObject({
  id: z
    .string()
    .min(1)
    .describe(
      'The model id that clients use. `*` matches any characters. An exact id takes precedence over a pattern.',
    ),
  routes: z.array(RouteSchema).min(1).describe('Upstreams that serve the model, in the order in which they are tried.'),
  policy: z
    .enum(ROUTING_POLICIES)
    .optional()
    .describe('How Sluice chooses between routes of the same `priority`. If omitted, `priority`: in the listed order.'),
  hedge_ms: optionalCount().describe(
    'If a text request has no event after this time, Sluice also calls the next route or credential, and uses the first response. If omitted, Sluice never does. Both calls cost money.',
  ),
  capabilities: z
    .array(z.enum(MODEL_CAPABILITIES))
    .min(1)
    .optional()
    .describe('The capabilities of the model. If omitted, it has all capabilities of its upstreams.'),
  strict: flag().describe('Whether Sluice refuses requests that would lose a field, with 400.'),
  default_seconds: z
    .string()
    .regex(/^(?:[1-9]\d*(?:\.\d+)?|0\.\d*[1-9]\d*)$/, 'must be a positive decimal in quotes, such as "4"')
    .default('4')
    .describe('The duration in seconds that responses show if the request had none, until the upstream reports it.'),
  run_deadline_ms: optionalCount().describe(
    'The maximum time that a task of this model runs at the upstream. If omitted, `tasks.run_deadline_ms` applies.',
  ),
  output_tokens: optionalCount().describe(
    'Output tokens that Sluice reserves for a request without an output limit. If omitted, 4096.',
  ),
  price: PriceSchema.optional(),
});
