import { z } from 'zod';
import { OpenAiErrorSchema } from '../../errors/openai-error.ts';

const text = z.string({ error: 'must be a string' });
const flag = z.boolean({ error: 'must be true or false' });
const record = z.record(z.string(), z.unknown(), { error: 'must be an object' });
const integer = z.int({ error: 'must be an integer' });
const textOrRecord = z.union([z.string(), record], { error: 'must be a string or an object' });

const from0To2 = { error: 'must be a number from 0 to 2' };
const from0To1 = { error: 'must be a number from 0 to 1' };
const integerFrom0To20 = { error: 'must be an integer from 0 to 20' };
const from1To100 = { error: 'must be a number from 1 to 100' };

const model = z
  .string({ error: ({ input }) => (input === undefined ? 'is required' : 'must be a string') })
  .min(1, { error: 'is required' })
  .meta({ description: 'An id of the model list.' });

const input = z
  .union([z.string(), z.array(record)], { error: 'must be a string or an array of objects' })
  .nullish()
  .meta({ description: 'A text, or a list of messages, calls, results, and reasoning, in order.' });

const notAnObject = { error: 'body must be a JSON object' };

/**
 * The top level of `POST /v1/responses` (openai-node 7.55, `ResponseCreateParams`). Null is treated as omitted, because
 * published clients send it. Items and tools are validated when the request is decoded.
 */
export const ResponsesTopLevel = z
  .looseObject(
    {
      model,
      input,
      instructions: text.nullish(),
      max_output_tokens: integer.min(1, { error: 'must be at least 1' }).nullish(),
      max_tool_calls: integer.nullish(),
      temperature: z.number(from0To2).min(0, from0To2).max(2, from0To2).nullish(),
      top_p: z.number(from0To1).min(0, from0To1).max(1, from0To1).nullish(),
      top_logprobs: z.int(integerFrom0To20).min(0, integerFrom0To20).max(20, integerFrom0To20).nullish(),
      stream: flag.nullish(),
      stream_options: record.nullish(),
      tools: z.array(record, { error: 'must be an array of objects' }).nullish(),
      tool_choice: textOrRecord.nullish(),
      parallel_tool_calls: flag.nullish(),
      text: record.nullish(),
      reasoning: record.nullish(),
      previous_response_id: text.nullish(),
      conversation: textOrRecord.nullish(),
      truncation: z.enum(['auto', 'disabled'], { error: 'must be auto or disabled' }).nullish(),
      include: z.array(z.unknown(), { error: 'must be an array of strings' }).nullish(),
      store: flag.nullish(),
      background: flag.nullish(),
      metadata: record.nullish(),
      service_tier: text.nullish(),
      prompt_cache_key: text.nullish(),
      safety_identifier: text.nullish(),
      user: text.nullish(),
    },
    notAnObject,
  )
  .meta({ id: 'ResponsesRequest' });

export const CompactTopLevel = z
  .looseObject({ model, input, instructions: text.nullish(), previous_response_id: text.nullish() }, notAnObject)
  .meta({ id: 'ResponsesCompactRequest' });

const number = { error: 'must be an integer of at least 0' };

export const RetrieveResponseQuery = z.object({
  stream: z
    .enum(['true', 'false', '1', '0'], { error: 'must be true or false' })
    .optional()
    .meta({ description: "Whether to return the response's events. Only a background response has them." }),
  starting_after: z.coerce
    .number(number)
    .int(number)
    .min(0, number)
    .optional()
    .meta({ description: 'With `stream`: the sequence number of the last event that the client has received.' }),
});

export const InputItemsQuery = z.object({
  limit: z.coerce
    .number(from1To100)
    .int({ error: 'must be an integer from 1 to 100' })
    .min(1, from1To100)
    .max(100, from1To100)
    .default(20)
    .meta({ description: 'Number of items per page.' }),
  after: text.optional().meta({ description: 'Id of the last item of the previous page.' }),
  order: z.enum(['asc', 'desc'], { error: 'must be asc or desc' }).default('desc'),
});

/**
 * The same counts under the names of this protocol and of chat completions. Counts of chat completions are omitted if
 * unknown.
 */
export const ResponsesUsageSchema = z
  .object({
    input_tokens: z.int(),
    input_tokens_details: z.looseObject({ cached_tokens: z.int(), cache_write_tokens: z.int().optional() }),
    output_tokens: z.int(),
    output_tokens_details: z.looseObject({ reasoning_tokens: z.int() }),
    total_tokens: z.int(),
    prompt_tokens: z.int(),
    completion_tokens: z.int(),
    prompt_tokens_details: z.object({
      cached_tokens: z.int().optional(),
      text_tokens: z.int().optional(),
      audio_tokens: z.int().optional(),
      image_tokens: z.int().optional(),
    }),
    completion_tokens_details: z.object({
      text_tokens: z.int().optional(),
      audio_tokens: z.int().optional(),
      reasoning_tokens: z.int().optional(),
    }),
  })
  .meta({ id: 'ResponsesUsage' });

const item = z.looseObject({ type: z.string(), id: z.string().optional() });

/** A response. Fields that Open Responses requires are always present, and are null if unknown. */
export const ResponseSchema = z
  .looseObject({
    id: z.string(),
    object: z.literal('response'),
    created_at: z.int(),
    completed_at: z.int().nullable(),
    status: z.enum(['completed', 'failed', 'in_progress', 'incomplete', 'queued', 'cancelled']),
    incomplete_details: z.object({ reason: z.string() }).nullable(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    model: z.string(),
    previous_response_id: z.string().nullable(),
    instructions: z.union([z.string(), z.array(item)]).nullable(),
    output: z.array(item),
    tools: z.array(z.looseObject({ type: z.string() })),
    tool_choice: z.union([z.string(), record]),
    truncation: z.enum(['auto', 'disabled']),
    parallel_tool_calls: z.boolean(),
    text: z.looseObject({ format: z.looseObject({ type: z.string() }) }),
    top_p: z.number(),
    temperature: z.number(),
    presence_penalty: z.number(),
    frequency_penalty: z.number(),
    top_logprobs: z.int(),
    reasoning: z.looseObject({ effort: z.string().nullable(), summary: z.string().nullable() }),
    user: z.string().nullable(),
    usage: ResponsesUsageSchema.nullable(),
    max_output_tokens: z.int().nullable(),
    max_tool_calls: z.int().nullable(),
    store: z.boolean(),
    background: z.boolean(),
    service_tier: z.string(),
    metadata: z.record(z.string(), z.unknown()),
    safety_identifier: z.string().nullable(),
    prompt_cache_key: z.string().nullable(),
  })
  .meta({ id: 'ResponsesResponse' });

export const CompactedResponseSchema = z
  .object({
    id: z.string(),
    object: z.literal('response.compaction'),
    created_at: z.int(),
    output: z.array(item),
    usage: ResponsesUsageSchema,
  })
  .meta({ id: 'ResponsesCompaction' });

export const InputTokensSchema = z
  .object({ object: z.literal('response.input_tokens'), input_tokens: z.int() })
  .meta({ id: 'ResponsesInputTokens' });

export const DeletedResponseSchema = z
  .object({ id: z.string(), object: z.literal('response'), deleted: z.literal(true) })
  .meta({ id: 'ResponsesDeleted' });

export const InputItemsPageSchema = z
  .object({
    object: z.literal('list'),
    data: z.array(item),
    first_id: z.string().nullable(),
    last_id: z.string().nullable(),
    has_more: z.boolean(),
  })
  .meta({ id: 'ResponsesInputItems' });

export const ErrorSchema = z.object(OpenAiErrorSchema.shape).meta({ id: 'ResponsesError' });
