import { EFFORTS } from '@sluice/canonical';
import { z } from 'zod';
import { mustBeOneOf } from '../../json/plain-text.ts';

const numberFrom = (min: number, max: number) => {
  const error = `must be a number from ${min} to ${max}`;
  return z.number({ error }).min(min, { error }).max(max, { error }).nullish();
};
const integer = () => z.int({ error: 'must be an integer' }).nullish();
const text = () => z.string({ error: 'must be a string' }).nullish();
const flag = () => z.boolean({ error: 'must be true or false' }).nullish();
const object = () => z.record(z.string(), z.unknown(), { error: 'must be an object' }).nullish();
const list = () => z.array(z.unknown(), { error: 'must be an array' }).nullish();
const textOrObject = () =>
  z.union([z.string(), z.record(z.string(), z.unknown())], { error: 'must be a string or an object' }).nullish();
const choice = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, { error: mustBeOneOf(values) }).nullish();

const required = (problem: string) => ({
  error: ({ input }: { input?: unknown }) => (input === undefined ? 'is required' : problem),
});

/** Body of `POST /v1/chat/completions`. A null field is treated as omitted. Unknown fields are accepted. */
export const CreateChatCompletionSchema = z
  .looseObject(
    {
      model: z
        .string(required('must be a string'))
        .min(1, { error: 'must not be empty' })
        .meta({ description: 'Id of a model that `GET /v1/models` lists.' }),
      messages: z
        .array(z.unknown(), required('must be an array'))
        .min(1, { error: 'must have at least one message' })
        .meta({ description: 'The conversation; each message has `role` and `content`.' }),
      temperature: numberFrom(0, 2),
      top_p: numberFrom(0, 1),
      n: z.int({ error: 'must be an integer' }).min(1, { error: 'must be at least 1' }).nullish(),
      stream: flag().meta({ description: 'Whether the response is streamed as server-sent events.' }),
      stream_options: object(),
      stop: z
        .union([z.string(), z.array(z.string())], { error: 'must be a string or an array of strings' })
        .nullish()
        .meta({ description: 'Texts at which the model stops.' }),
      max_tokens: integer(),
      max_completion_tokens: integer(),
      presence_penalty: numberFrom(-2, 2),
      frequency_penalty: numberFrom(-2, 2),
      logit_bias: z.record(z.string(), z.number(), { error: 'must be an object of numbers' }).nullish(),
      user: text(),
      tools: list(),
      tool_choice: textOrObject(),
      parallel_tool_calls: flag(),
      response_format: object(),
      // Any int64. The relay preserves all digits.
      seed: z
        .number({ error: 'must be an integer' })
        .refine(Number.isInteger, { error: 'must be an integer' })
        .nullish()
        .meta({ description: 'Makes responses repeatable as far as the upstream can.', type: ['integer', 'null'] }),
      reasoning_effort: choice(EFFORTS),
      modalities: z.array(z.string(), { error: 'must be an array of strings' }).nullish(),
      audio: object(),
      logprobs: flag(),
      top_logprobs: integer(),
      verbosity: choice(['low', 'medium', 'high']),
      metadata: object(),
      service_tier: text(),
      safety_identifier: text(),
      prompt_cache_key: text(),
      functions: list().meta({ deprecated: true, description: 'The legacy form of `tools`.' }),
      function_call: textOrObject().meta({ deprecated: true, description: 'The legacy form of `tool_choice`.' }),
    },
    { error: 'body must be a JSON object' },
  )
  .meta({ id: 'CreateChatCompletion' });

export type ChatCompletionBody = z.output<typeof CreateChatCompletionSchema>;

/** Token counts of chat and text completions. The totals include the details. */
const ChatUsageSchema = z
  .looseObject({
    prompt_tokens: z.int(),
    completion_tokens: z.int(),
    total_tokens: z.int(),
    prompt_tokens_details: z
      .looseObject({
        cached_tokens: z.int().optional(),
        cache_write_tokens: z.int().optional(),
        text_tokens: z.int().optional(),
        audio_tokens: z.int().optional(),
        image_tokens: z.int().optional(),
      })
      .optional(),
    completion_tokens_details: z
      .looseObject({
        text_tokens: z.int().optional(),
        audio_tokens: z.int().optional(),
        reasoning_tokens: z.int().optional(),
      })
      .optional(),
  })
  .meta({ id: 'ChatUsage' });

const ToolCallSchema = z.looseObject({
  index: z.int().optional(),
  id: z.string().optional(),
  type: z.string().optional(),
  function: z.looseObject({ name: z.string().optional(), arguments: z.string() }).optional(),
  custom: z.looseObject({ name: z.string().optional(), input: z.string() }).optional(),
});

const ResponseMessageSchema = z.looseObject({
  role: z.string().optional(),
  content: z.string().nullish(),
  refusal: z.string().nullish(),
  reasoning_content: z.string().optional(),
  tool_calls: z.array(ToolCallSchema).optional(),
});

const FinishReasonSchema = z.enum(['stop', 'length', 'tool_calls', 'content_filter', 'function_call']);

export const ChatCompletionSchema = z
  .looseObject({
    id: z.string(),
    object: z.literal('chat.completion'),
    created: z.int().meta({ description: 'Unix seconds.' }),
    model: z.string(),
    choices: z.array(
      z.looseObject({ index: z.int(), message: ResponseMessageSchema, finish_reason: FinishReasonSchema }),
    ),
    usage: ChatUsageSchema.optional(),
    system_fingerprint: z.string().nullish(),
  })
  .meta({ id: 'ChatCompletion' });

/** A stream event. The stream's last event is the text `[DONE]` instead. */
export const ChatCompletionChunkSchema = z
  .looseObject({
    id: z.string(),
    object: z.literal('chat.completion.chunk'),
    created: z.int().meta({ description: 'Unix seconds.' }),
    model: z.string(),
    choices: z.array(
      z.looseObject({ index: z.int(), delta: ResponseMessageSchema, finish_reason: FinishReasonSchema.nullable() }),
    ),
    usage: ChatUsageSchema.nullish(),
  })
  .meta({ id: 'ChatCompletionChunk' });

/** Body of every error response, and of the error event that ends a failed stream. */
export const ChatErrorSchema = z
  .object({
    error: z.object({
      message: z.string(),
      type: z.string(),
      param: z.string().nullable(),
      code: z.string().nullable(),
    }),
  })
  .meta({ id: 'ChatError' });
