import { z } from 'zod';

/** Anthropic's clients send null for unset fields. */
function optional<T extends z.ZodType>(schema: T) {
  return schema.nullish();
}

const Text = z.string({ error: 'must be a string' });
const Flag = z.boolean({ error: 'must be true or false' });
const Numeric = z.number({ error: 'must be a number' });
const Integer = Numeric.int({ error: 'must be an integer' });
// Checks only the type, which is fast even for long conversations. The decoders check the inner values.
const Fields = z.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  { error: 'must be an object' },
);
const List = z.custom<unknown[]>(Array.isArray, { error: 'must be an array' });
const FieldsDocument = { override: { type: 'object' as const, additionalProperties: true } };
const ListDocument = { override: { type: 'array' as const, items: { type: 'object' as const } } };

const shape = {
  model: z
    .string({ error: ({ input }) => (input === undefined ? 'is required' : 'must be a string') })
    .min(1, { error: 'is required' }),
  messages: z
    .custom<unknown[]>(Array.isArray, {
      error: ({ input }) => (input === undefined ? 'is required' : 'must be an array'),
    })
    .meta(ListDocument),
  system: optional(
    z.union([Text, List.meta(ListDocument)], { error: 'must be a string or an array of text blocks' }),
  ).meta({ description: 'Instructions.' }),
  cache_control: optional(Fields.meta(FieldsDocument)),
  inference_geo: optional(Text),
  temperature: optional(Numeric.min(0, { error: 'must be from 0 to 1' }).max(1, { error: 'must be from 0 to 1' })),
  top_p: optional(Numeric),
  top_k: optional(Integer),
  stream: optional(Flag),
  stop_sequences: optional(z.array(Text, { error: 'must be an array of strings' })),
  tools: optional(List.meta(ListDocument)),
  tool_choice: optional(Fields.meta(FieldsDocument)),
  thinking: optional(Fields.meta(FieldsDocument)),
  context_management: optional(Fields.meta(FieldsDocument)),
  output_config: optional(Fields.meta(FieldsDocument)),
  output_format: optional(Fields.meta(FieldsDocument)),
  container: optional(z.union([Text, Fields.meta(FieldsDocument)], { error: 'must be a string or an object' })),
  mcp_servers: optional(List.meta(ListDocument)),
  metadata: optional(Fields.meta(FieldsDocument)),
  speed: optional(z.enum(['standard', 'fast'], { error: 'must be standard or fast' })),
  service_tier: optional(z.enum(['auto', 'standard_only'], { error: 'must be auto or standard_only' })),
};

export const CreateMessageSchema = z
  .looseObject(
    {
      ...shape,
      max_tokens: z
        .int({
          error: ({ input }) => (input === undefined || input === null ? 'is required' : 'must be an integer'),
        })
        .min(1, { error: 'must be at least 1' })
        .meta({ description: 'Maximum number of tokens to generate.' }),
    },
    { error: 'body must be a JSON object' },
  )
  .meta({ id: 'CreateMessage' });

export const CountMessageTokensSchema = z
  .looseObject(shape, { error: 'body must be a JSON object' })
  .meta({ id: 'CountMessageTokens' });

const UsageSchema = z.looseObject({
  input_tokens: z.int(),
  output_tokens: z.int(),
  cache_creation_input_tokens: z.int().optional(),
  cache_read_input_tokens: z.int().optional(),
});

export const MessageSchema = z
  .looseObject({
    id: z.string(),
    type: z.literal('message'),
    role: z.literal('assistant'),
    model: z.string(),
    content: z.array(z.looseObject({ type: z.string() })),
    stop_reason: z.string().nullable(),
    stop_sequence: z.string().nullable(),
    usage: UsageSchema,
  })
  .meta({ id: 'Message' });

export const MessageEventSchema = z.looseObject({ type: z.string() }).meta({
  id: 'MessageEvent',
  description: 'Server-sent events with `event:` lines, from message_start to message_stop.',
});

export const TokenCountSchema = z.looseObject({ input_tokens: z.int() }).meta({ id: 'MessageTokenCount' });

export const MessagesErrorSchema = z
  .object({
    type: z.literal('error'),
    error: z.object({
      type: z.string(),
      message: z.string(),
      details: z.object({ error_code: z.string() }).optional(),
    }),
    request_id: z.string().optional(),
  })
  .meta({ id: 'MessagesError' });
