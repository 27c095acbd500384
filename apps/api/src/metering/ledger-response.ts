import { z } from 'zod';
import { pageSchema } from '../schemas/pages.ts';

const dollars = (what: string) => z.number().describe(`${what}, in US dollars.`);
const ms = (what: string) => z.number().describe(`${what}, in milliseconds.`);
const count = (what?: string) => (what === undefined ? z.number() : z.number().describe(what)).optional();

const AttemptSchema = z.object({
  upstream: z.string(),
  credential: z.string().optional(),
  upstream_model: z.string().optional(),
  result: z.string().describe('Why the attempt failed, or that it succeeded.'),
  ms: ms('Duration').optional(),
  cost_usd: z
    .number()
    .optional()
    .describe('Estimated cost of a call that was aborted because another one responded first.'),
});

const UsageSchema = z
  .object({
    input_tokens: count('With cached tokens and cache writes.'),
    cached_tokens: count(),
    cache_write_tokens: count(),
    cache_write_1h_tokens: count('The part of the cache writes that live for an hour.'),
    output_tokens: count('With reasoning.'),
    reasoning_tokens: count(),
    audio_input_tokens: count(),
    audio_output_tokens: count(),
    image_input_tokens: count(),
    image_output_tokens: count(),
    service_tier: z
      .string()
      .optional()
      .describe(
        'The tier that the vendor reports, or `batch` in a batch that the vendor ran. Prices can depend on it.',
      ),
    audio_seconds: count('Seconds of transcribed audio.'),
    characters: count('Characters of speech input.'),
    searches: count(),
    images: count(),
    image_size: z.string().optional(),
    image_quality: z.string().optional(),
    video_seconds: count(),
    resolution: z.string().optional(),
    has_audio: z.boolean().optional(),
  })
  .meta({ id: 'AdminRequestUsage' });

export const LedgerEntrySchema = z
  .object({
    object: z.literal('ledger.entry'),
    id: z.string(),
    type: z.enum(['request', 'task']).describe('A request that creates a task has its own entry and one of the task.'),
    at_ms: z.int().describe('End of the request or task, in Unix milliseconds.'),
    request_id: z.string().optional().describe("The response's `x-request-id`."),
    task_id: z.string().optional(),
    key: z.string().describe('Name of the API key.'),
    user: z.string().optional().describe('The end user, by default as a hash.'),
    labels: z.record(z.string(), z.string()).optional(),
    endpoint: z.string().describe('Method and path.'),
    protocol: z.string().optional().describe("The client's protocol."),
    model: z.string().optional().describe("The model id of the client's request."),
    upstream: z.string().optional(),
    upstream_model: z.string().optional(),
    credential: z.string().optional().describe("The credential of the upstream's pool."),
    attempts: z.array(AttemptSchema).optional().describe('The upstream calls, in their order.'),
    relayed: z.boolean().optional().describe('Whether the request was relayed, not translated.'),
    dropped: z
      .array(z.string())
      .optional()
      .describe("The request's fields that the upstream did not receive as sent: clamped, replaced, or dropped."),
    trace_id: z.string().optional().describe('Id of the exported trace.'),
    status: z.union([z.int(), z.string()]).describe('The HTTP status, or the state of a task.'),
    error_code: z.string().optional(),
    duration_ms: ms('Duration'),
    first_event_ms: ms('Time to the first event of a stream, or to the response').optional(),
    queue_ms: ms('Time until the first call of an upstream, or until the submission of a task').optional(),
    run_ms: ms('Time from the submission of a task to its end').optional(),
    usage: UsageSchema.optional(),
    cost_usd: dollars('Cost').optional(),
    unpriced: z.boolean().describe('Whether the cost is unknown, because there is no price.'),
    price_lines: z
      .array(z.object({ unit: z.string(), quantity: z.number(), cost_usd: dollars('Cost') }))
      .optional()
      .describe('Parts of the cost.'),
    price_source: z
      .object({
        from: z.enum(['config', 'catalog']),
        catalog: z.string().optional(),
        date: z.string().optional().describe('When the catalog read the price.'),
        url: z.string().optional(),
      })
      .optional(),
  })
  .meta({ id: 'AdminRequest' });

export const LedgerPageSchema = pageSchema(LedgerEntrySchema, 'AdminRequestPage');
