import { z } from 'zod';
import { integer } from '../media/fields.ts';
import { BatchCursorSchema, bodyProblem, OPTION_FIELDS } from './schema.ts';

/** Anthropic's limits (@anthropic-ai/sdk 1.11, `resources/messages/batches`). */
export const MAX_REQUESTS = 100_000;

/** The requests are read one by one, so the array is empty here. */
const emptied = () => z.array(z.unknown(), { error: 'must be an array' }).max(0, { error: 'must be an array' });

/** The body of a creation without its requests. */
export const MessageBatchOptionsSchema = z.strictObject(
  { requests: emptied(), ...OPTION_FIELDS },
  { error: bodyProblem },
);

/** One request of a batch. The body of the request is checked when it runs. */
export const MessageRequestSchema = z.looseObject(
  {
    custom_id: z
      .string({ error: ({ input }) => (input === undefined ? 'is required' : 'must be a string') })
      .regex(/^[\w-]{1,64}$/, { error: 'must have 1 to 64 letters, digits, hyphens, or underscores' }),
    params: z.looseObject(
      {
        model: z.string({ error: ({ input }) => (input === undefined ? 'is required' : 'must be a string') }),
        stream: z.literal(false, { error: 'must be false in a batch' }).nullish(),
      },
      { error: ({ input }) => (input === undefined ? 'is required' : 'must be an object') },
    ),
  },
  { error: 'must be an object' },
);

/** For the documentation. */
export const CreateMessageBatchSchema = z
  .strictObject({
    requests: z
      .array(MessageRequestSchema)
      .min(1)
      .max(MAX_REQUESTS)
      .meta({ description: 'The requests. `params` is the body of `POST /v1/messages`.' }),
    ...OPTION_FIELDS,
  })
  .meta({ id: 'CreateMessageBatch' });

export const ListMessageBatchesSchema = z.object({
  limit: integer(1, 1_000).default(20).meta({ description: 'Number of batches on the page.' }),
  after_id: BatchCursorSchema.meta({ description: 'Id of the last batch of the previous page.' }),
  before_id: BatchCursorSchema.meta({ description: 'Id of the first batch of the next page.' }),
});

export const MessageBatchSchema = z
  .object({
    id: z.string(),
    type: z.literal('message_batch'),
    processing_status: z.enum(['in_progress', 'canceling', 'ended']),
    request_counts: z.object({
      processing: z.int(),
      succeeded: z.int(),
      errored: z.int(),
      canceled: z.int(),
      expired: z.int(),
    }),
    ended_at: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
    archived_at: z.null(),
    cancel_initiated_at: z.iso.datetime().nullable(),
    results_url: z.string().nullable(),
  })
  .meta({ id: 'MessageBatch' });

export const MessageBatchPageSchema = z
  .object({
    data: z.array(MessageBatchSchema),
    has_more: z.boolean(),
    first_id: z.string().nullable(),
    last_id: z.string().nullable(),
  })
  .meta({ id: 'MessageBatchPage' });

export const DeletedMessageBatchSchema = z
  .object({ id: z.string(), type: z.literal('message_batch_deleted') })
  .meta({ id: 'DeletedMessageBatch' });

export const MessageResultSchema = z
  .object({
    custom_id: z.string(),
    result: z.union([
      z.object({ type: z.literal('succeeded'), message: z.unknown() }),
      z.object({ type: z.literal('errored'), error: z.unknown() }),
      z.object({ type: z.enum(['canceled', 'expired']) }),
    ]),
  })
  .meta({ id: 'MessageBatchResult' });
