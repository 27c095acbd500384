import { z } from 'zod';

const Breakpoint = z.looseObject({ mode: z.string() }).optional();
const Text = z.strictObject({ type: z.literal('text'), text: z.string(), prompt_cache_breakpoint: Breakpoint });
const Refusal = z.strictObject({ type: z.literal('refusal'), refusal: z.string() });
const IMAGE_URL = /^(?:https?:\/\/|data:image\/[a-z.+-]+;base64,[A-Za-z0-9+/]+=*$)/;
const Image = z.strictObject({
  type: z.literal('image_url'),
  image_url: z.strictObject({
    url: z.string().refine((url) => IMAGE_URL.test(url), {
      message:
        "Expected a valid URL, or a base64-encoded data URL with an image MIME type (e.g. 'data:image/png;base64,aW1nIGJ5dGVzIGhlcmU=').",
    }),
    detail: z.enum(['auto', 'low', 'high', 'original']).optional(),
  }),
  prompt_cache_breakpoint: Breakpoint,
});
const Audio = z.strictObject({
  type: z.literal('input_audio'),
  input_audio: z.strictObject({ data: z.base64(), format: z.enum(['wav', 'mp3']) }),
});
const File = z.strictObject({
  type: z.literal('file'),
  file: z.strictObject({
    file_data: z.string().optional(),
    file_id: z.string().optional(),
    filename: z.string().optional(),
  }),
  prompt_cache_breakpoint: Breakpoint,
});
// Not OpenAI's; many compatible vendors accept it.
const Video = z.strictObject({ type: z.literal('video_url'), video_url: z.strictObject({ url: z.string() }) });

const UserPart = z.discriminatedUnion('type', [Text, Image, Audio, File, Video]);
const AssistantPart = z.discriminatedUnion('type', [Text, Refusal]);
const TextParts = z.array(z.discriminatedUnion('type', [Text])).min(1);

const CALL_ID = z.string().max(64);
const Name = z
  .string()
  .min(1)
  .regex(/^[a-zA-Z0-9_-]+$/)
  .max(64);
const FunctionCall = z.strictObject({
  id: CALL_ID,
  type: z.literal('function'),
  function: z.strictObject({ name: Name, arguments: z.string() }),
  extra_content: z.unknown().optional(),
});
const CustomCall = z.strictObject({
  id: CALL_ID,
  type: z.literal('custom'),
  custom: z.strictObject({ name: Name, input: z.string() }),
});

const Message = z.discriminatedUnion('role', [
  z.strictObject({
    role: z.enum(['system', 'developer']),
    content: z.union([z.string(), TextParts]),
    name: z.string().optional(),
  }),
  z.strictObject({
    role: z.literal('user'),
    content: z.union([z.string(), z.array(UserPart).min(1)]),
    name: z.string().optional(),
  }),
  z.strictObject({
    role: z.literal('assistant'),
    content: z.union([z.string(), z.array(AssistantPart).min(1)]).nullish(),
    refusal: z.string().nullish(),
    name: z.string().optional(),
    audio: z.strictObject({ id: z.string() }).nullish(),
    annotations: z.array(z.unknown()).optional(),
    tool_calls: z
      .array(z.discriminatedUnion('type', [FunctionCall, CustomCall]))
      .min(1)
      .optional(),
    // Compatible reasoning vendors take their own reasoning back.
    reasoning_content: z.string().nullish(),
  }),
  z.strictObject({ role: z.literal('tool'), content: z.union([z.string(), TextParts]), tool_call_id: CALL_ID }),
]);

export type ChatMessage = z.output<typeof Message>;

const Tool = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('function'),
    function: z.strictObject({
      name: Name,
      description: z.string().max(65_536).optional(),
      parameters: z.looseObject({}).nullish(),
      strict: z.boolean().nullish(),
    }),
  }),
  z.strictObject({
    type: z.literal('custom'),
    custom: z.strictObject({
      name: Name,
      description: z.string().optional(),
      format: z.looseObject({ type: z.enum(['text', 'grammar']) }).optional(),
    }),
  }),
]);
const NamedFunction = z.strictObject({ type: z.literal('function'), function: z.strictObject({ name: z.string() }) });
const NamedCustom = z.strictObject({ type: z.literal('custom'), custom: z.strictObject({ name: z.string() }) });
const ToolChoice = z.union([
  z.enum(['none', 'auto', 'required']),
  z.discriminatedUnion('type', [
    NamedFunction,
    NamedCustom,
    z.strictObject({
      type: z.literal('allowed_tools'),
      allowed_tools: z.strictObject({
        mode: z.enum(['auto', 'required']),
        tools: z.array(z.discriminatedUnion('type', [NamedFunction, NamedCustom])),
      }),
    }),
  ]),
]);
const ResponseFormat = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text') }),
  z.strictObject({ type: z.literal('json_object') }),
  z.strictObject({
    type: z.literal('json_schema'),
    json_schema: z.strictObject({
      name: Name,
      description: z.string().optional(),
      schema: z.looseObject({}).optional(),
      strict: z.boolean().nullish(),
    }),
  }),
]);

const penalty = z.number().min(-2).max(2).nullish();

/** Field checks only; cross-field rules are in `check-chat-request.ts`. */
export const ChatRequestSchema = z.strictObject({
  model: z.string().min(1),
  messages: z.array(Message).min(1),
  audio: z.looseObject({}).nullish(),
  frequency_penalty: penalty,
  presence_penalty: penalty,
  logit_bias: z.record(z.string(), z.number().min(-100).max(100)).nullish(),
  logprobs: z.boolean().nullish(),
  top_logprobs: z.int().min(0).max(20).nullish(),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  metadata: z.record(z.string().max(64), z.string().max(512)).nullish(),
  modalities: z.array(z.enum(['text', 'audio'])).nullish(),
  moderation: z.looseObject({}).nullish(),
  n: z.int().min(1).max(128).nullish(),
  parallel_tool_calls: z.boolean().optional(),
  prediction: z.looseObject({ type: z.literal('content') }).nullish(),
  prompt_cache_key: z.string().optional(),
  prompt_cache_options: z.looseObject({}).optional(),
  prompt_cache_retention: z.enum(['in_memory', 'in-memory', '24h']).nullish(),
  reasoning_effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']).nullish(),
  response_format: ResponseFormat.optional(),
  safety_identifier: z.string().optional(),
  seed: z.int().nullish(),
  service_tier: z.enum(['auto', 'default', 'flex', 'scale', 'priority', 'fast']).nullish(),
  stop: z.union([z.string(), z.array(z.string()).min(1).max(4)]).nullish(),
  store: z.boolean().nullish(),
  stream: z.boolean().nullish(),
  stream_options: z
    .strictObject({ include_usage: z.boolean().optional(), include_obfuscation: z.boolean().optional() })
    .nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  tool_choice: ToolChoice.optional(),
  tools: z.array(Tool).min(1).max(128).optional(),
  user: z.string().optional(),
  verbosity: z.enum(['low', 'medium', 'high']).nullish(),
  web_search_options: z.looseObject({}).optional(),
  // How compatible vendors enable reasoning.
  thinking: z.looseObject({ type: z.enum(['enabled', 'disabled', 'auto', 'adaptive']) }).optional(),
  reasoning: z.looseObject({}).optional(),
  enable_thinking: z.boolean().optional(),
  chat_template_kwargs: z.looseObject({}).optional(),
});

export type ChatRequest = z.output<typeof ChatRequestSchema>;
