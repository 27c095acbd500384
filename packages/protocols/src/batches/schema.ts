import { BATCH_ID, BATCH_STATUSES } from '@sluice/canonical';
import { z } from 'zod';
import { mustBeOneOf, requiredOr } from '../json/plain-text.ts';
import { MaxCostSchema } from '../media/cost-controls.ts';
import { integer } from '../media/fields.ts';
import { isLineEndpoint, LINE_ENDPOINTS } from './line-endpoints.ts';

/** OpenAI's limits of `expires_after` (openai-node 7.55, `resources/batches`). */
const MIN_SECONDS = 3_600;
const MAX_SECONDS = 30 * 24 * 3_600;
const MAX_PRIORITY = 100;
/** OpenAI's limits of metadata (openai-node 7.55, `resources/shared`). */
const MAX_PAIRS = 16;
const MAX_KEY = 64;
const MAX_VALUE = 512;
const HOUR_MS = 3_600_000;
const UNITS_MS: Readonly<Record<string, number>> = { m: 60_000, h: HOUR_MS, d: 24 * HOUR_MS };
const MIN_WINDOW_MS = 5 * 60_000;
const MAX_WINDOW_MS = 7 * 24 * HOUR_MS;
/** OpenAI's and Anthropic's only window, and the default. */
export const DEFAULT_WINDOW_MS = 24 * HOUR_MS;

const window = 'must be a duration from 5m to 7d (e.g. `24h`)';

const WindowSchema = z
  .string(requiredOr(window))
  .regex(/^[1-9]\d{0,4}[mhd]$/, { error: window, abort: true })
  .transform((text) => Number(text.slice(0, -1)) * (UNITS_MS[text.slice(-1)] ?? 0))
  .refine((ms) => ms >= MIN_WINDOW_MS && ms <= MAX_WINDOW_MS, { error: window });

export const PrioritySchema = integer(-MAX_PRIORITY, MAX_PRIORITY).meta({
  description: 'A batch with a higher number runs before others. Default: 0.',
});

/** Fields of every creation. Sluice itself reads them, and no upstream receives them. */
export const OPTION_FIELDS = {
  priority: PrioritySchema.optional(),
  retry_unknown: z.boolean({ error: 'must be true or false' }).optional().meta({
    description:
      'Whether a request whose outcome is unknown after a crash is sent again, although it may be paid for twice.',
  }),
  max_cost_usd: MaxCostSchema,
};

const MetadataSchema = z
  .record(
    z.string().max(MAX_KEY, { error: `must have keys of at most ${MAX_KEY} characters` }),
    z
      .string({ error: 'must be a string' })
      .max(MAX_VALUE, { error: `must be at most ${MAX_VALUE} characters` })
      .transform((text) => text.toWellFormed()),
    {
      error: ({ code }) =>
        code === 'invalid_key' ? `must have keys of at most ${MAX_KEY} characters` : 'must be an object',
    },
  )
  .refine((pairs) => Object.keys(pairs).length <= MAX_PAIRS, { error: `must have at most ${MAX_PAIRS} pairs` });

const fileId = (problem = 'must be the id of a file') =>
  z.string(requiredOr(problem)).regex(/^[\w-]{1,64}$/, { error: problem });

/** An unknown field is refused, because a limit of the cost with a typo would be no limit. */
export const bodyProblem: z.core.$ZodErrorMap = ({ code, keys }) =>
  code === 'unrecognized_keys' && Array.isArray(keys)
    ? `has the unknown field \`${String(keys[0]).slice(0, MAX_KEY)}\`. Remove it, or correct its name`
    : 'body must be a JSON object';

export const CreateBatchSchema = z
  .strictObject(
    {
      input_file_id: fileId().meta({
        description:
          'A file of this key with the purpose `batch`. Each line has `custom_id`, `method`, `url`, and `body`.',
      }),
      endpoint: z
        .enum(LINE_ENDPOINTS, requiredOr(mustBeOneOf(LINE_ENDPOINTS)))
        .meta({ description: 'The `url` of every line.' }),
      completion_window: WindowSchema.meta({
        description: 'The batch expires after this time, from 5m to 7d.',
        example: '24h',
      }),
      metadata: MetadataSchema.nullish(),
      output_expires_after: z
        .looseObject(
          {
            anchor: z.literal('created_at', requiredOr('must be created_at')),
            seconds: integer(MIN_SECONDS, MAX_SECONDS),
          },
          { error: 'must be an object with anchor and seconds' },
        )
        .nullish()
        .meta({ description: 'When the output and error files expire.' }),
      ...OPTION_FIELDS,
    },
    { error: bodyProblem },
  )
  .meta({ id: 'CreateBatch' });

/** A dry run estimates the cost, so it needs no window. */
export const EstimatedBatchSchema = z.strictObject(
  {
    ...CreateBatchSchema.shape,
    endpoint: z
      .string(requiredOr(mustBeOneOf(LINE_ENDPOINTS)))
      .refine(isLineEndpoint, { error: mustBeOneOf(LINE_ENDPOINTS) }),
    completion_window: WindowSchema.optional(),
  },
  { error: bodyProblem },
);

export const ChangeBatchSchema = z
  .looseObject(
    {
      paused: z.boolean({ error: 'must be true or false' }).optional().meta({
        description: 'A paused batch sends no further requests. It still expires.',
      }),
      priority: PrioritySchema.optional(),
    },
    { error: 'body must be a JSON object' },
  )
  .refine(({ paused, priority }) => paused !== undefined || priority !== undefined, {
    error: 'must contain paused or priority',
  })
  .meta({ id: 'ChangeBatch' });

const batchId = { error: 'must be the id of a batch' };
export const BatchCursorSchema = z.string(batchId).regex(BATCH_ID, batchId).optional();

export const ListBatchesSchema = z.object({
  after: BatchCursorSchema.meta({ description: 'Id of the last batch of the previous page.' }),
  limit: integer(1, 100).default(20).meta({ description: 'Number of batches on the page.' }),
});

const seconds = () => z.int().nullable().meta({ description: 'Unix seconds.' });

export const BatchSchema = z
  .object({
    id: z.string(),
    object: z.literal('batch'),
    endpoint: z.string().meta({ description: 'The path of the requests. It determines the format of the results.' }),
    model: z.string().nullable().meta({ description: 'null: not validated yet, or several models.' }),
    upstream: z.string().nullable().meta({
      description: 'The upstream whose vendor runs the batch. null: Sluice sends its requests one by one.',
    }),
    errors: z
      .object({
        object: z.literal('list'),
        data: z.array(
          z.object({
            code: z.string(),
            message: z.string(),
            line: z.int().nullable(),
            param: z.string().nullable(),
          }),
        ),
      })
      .nullable(),
    input_file_id: z.string(),
    completion_window: z.string(),
    status: z.enum(BATCH_STATUSES),
    output_file_id: z.string().nullable(),
    error_file_id: z.string().nullable(),
    created_at: z.int(),
    in_progress_at: seconds(),
    expires_at: z.int(),
    finalizing_at: seconds(),
    completed_at: seconds(),
    failed_at: seconds(),
    expired_at: seconds(),
    cancelling_at: seconds(),
    cancelled_at: seconds(),
    request_counts: z.object({ total: z.int(), completed: z.int(), failed: z.int() }),
    usage: z
      .object({
        input_tokens: z.int(),
        input_tokens_details: z.object({ cached_tokens: z.int() }),
        output_tokens: z.int(),
        output_tokens_details: z.object({ reasoning_tokens: z.int() }),
        total_tokens: z.int(),
      })
      .optional()
      .meta({ description: 'Tokens of the requests with a response so far.' }),
    metadata: z.record(z.string(), z.string()).nullable(),
    paused: z.boolean(),
    priority: z.int(),
    retry_unknown: z.boolean(),
    max_cost_usd: z.number().nullable(),
    estimated_cost_usd: z.number().nullable().meta({
      description: 'The maximum cost, known after the validation. null: not known, or a model has no price.',
    }),
    cost_usd: z.number().nullable().meta({
      description:
        'The cost of the requests with a response so far. null: the requests create images or videos, which have a cost each.',
    }),
    unpriced: z.literal(true).optional().meta({ description: 'A request has a cost, but its price is unknown.' }),
  })
  .meta({ id: 'Batch' });

export const BatchPageSchema = z
  .object({
    object: z.literal('list'),
    data: z.array(BatchSchema),
    first_id: z.string().nullable(),
    last_id: z.string().nullable(),
    has_more: z.boolean(),
  })
  .meta({ id: 'BatchPage' });

export const DeletedBatchSchema = z
  .object({ id: z.string(), object: z.literal('batch'), deleted: z.literal(true) })
  .meta({ id: 'DeletedBatch' });
