import { z } from 'zod';
import { tagged } from '../../schema/tagged.ts';
import {
  Breakpoint,
  CacheRetention,
  commonFields,
  Effort,
  Grammar,
  ImageUrl,
  Name,
  Refusal,
  SERVICE_TIERS,
  ToolMode,
  Verbosity,
} from '../openai-style/request-fields.ts';

const Text = tagged('text', { text: z.string(), prompt_cache_breakpoint: Breakpoint });
const Image = tagged('image_url', {
  image_url: z.strictObject({
    url: ImageUrl,
    detail: z.enum(['auto', 'low', 'high', 'original']).optional(),
  }),
  prompt_cache_breakpoint: Breakpoint,
});
const Audio = tagged('input_audio', {
  input_audio: z.strictObject({ data: z.base64(), format: z.enum(['wav', 'mp3']) }),
  prompt_cache_breakpoint: Breakpoint,
});
const File = tagged('file', {
  file: z.strictObject({
    file_data: z.string().optional(),
    file_id: z.string().optional(),
    filename: z.string().optional(),
  }),
  prompt_cache_breakpoint: Breakpoint,
});
// A `video_url` part is not part of OpenAI's API, but many compatible vendors accept it.
const Video = tagged('video_url', { video_url: z.strictObject({ url: z.string() }) });

const UserPart = z.discriminatedUnion('type', [Text, Image, Audio, File, Video]);
const AssistantPart = z.discriminatedUnion('type', [Text, Refusal]);
const TextParts = z.array(z.discriminatedUnion('type', [Text])).min(1);

const CALL_ID = z.string().max(64);
const FunctionCall = z.strictObject({
  id: CALL_ID,
  type: z.literal('function'),
  function: z.strictObject({ name: Name, arguments: z.string() }),
  extra_content: z.unknown().optional(),
});
/** A function call in the format that preceded `tool_calls`. */
const LegacyCall = z.strictObject({ name: Name, arguments: z.string() });
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
    function_call: LegacyCall.nullish(),
    // Compatible vendors with reasoning models accept their own reasoning in later requests.
    reasoning_content: z.string().nullish(),
  }),
  z.strictObject({ role: z.literal('tool'), content: z.union([z.string(), TextParts]), tool_call_id: CALL_ID }),
  z.strictObject({ role: z.literal('function'), content: z.string().nullable(), name: Name }),
]);

export type ChatMessage = z.output<typeof Message>;

const LegacyFunction = z.strictObject({
  name: Name,
  description: z.string().optional(),
  parameters: z.looseObject({}).optional(),
});
const Tool = z.discriminatedUnion('type', [
  tagged('function', {
    function: z.strictObject({
      name: Name,
      description: z.string().max(65_536).optional(),
      parameters: z.looseObject({}).nullish(),
      strict: z.boolean().nullish(),
    }),
  }),
  tagged('custom', {
    custom: z.strictObject({
      name: Name,
      description: z.string().optional(),
      format: Grammar,
    }),
  }),
]);
const NamedFunction = tagged('function', { function: z.strictObject({ name: z.string() }) });
const NamedCustom = tagged('custom', { custom: z.strictObject({ name: z.string() }) });
const ToolChoice = z.union([
  ToolMode,
  z.discriminatedUnion('type', [
    NamedFunction,
    NamedCustom,
    tagged('allowed_tools', {
      allowed_tools: z.strictObject({
        mode: z.enum(['auto', 'required']),
        tools: z.array(z.discriminatedUnion('type', [NamedFunction, NamedCustom])),
      }),
    }),
  ]),
]);
const ResponseFormat = z.discriminatedUnion('type', [
  tagged('text', {}),
  tagged('json_object', {}),
  tagged('json_schema', {
    json_schema: z.strictObject({
      name: Name,
      description: z.string().optional(),
      schema: z.looseObject({}).optional(),
      strict: z.boolean().nullish(),
    }),
  }),
]);

const penalty = z.number().min(-2).max(2).nullish();

/** Checks single fields. `check-chat-request.ts` checks rules across fields. */
export const ChatRequestSchema = z.strictObject({
  model: z.string().min(1),
  messages: z.array(Message).min(1),
  ...commonFields,
  audio: z.looseObject({}).nullish(),
  frequency_penalty: penalty,
  function_call: z.union([z.enum(['none', 'auto']), z.strictObject({ name: z.string() })]).optional(),
  functions: z.array(LegacyFunction).min(1).max(128).optional(),
  presence_penalty: penalty,
  logit_bias: z.record(z.string(), z.number().min(-100).max(100)).nullish(),
  logprobs: z.boolean().nullish(),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  modalities: z.array(z.enum(['text', 'audio'])).nullish(),
  n: z.int().min(1).max(128).nullish(),
  parallel_tool_calls: z.boolean().optional(),
  prediction: z.looseObject({ type: z.literal('content') }).nullish(),
  prompt_cache_key: z.string().nullish(),
  prompt_cache_options: z.looseObject({}).optional(),
  prompt_cache_retention: CacheRetention,
  reasoning_effort: Effort,
  response_format: ResponseFormat.optional(),
  safety_identifier: z.string().nullish(),
  seed: z.int().nullish(),
  service_tier: z.enum(SERVICE_TIERS).nullish(),
  stop: z.union([z.string(), z.array(z.string()).min(1).max(4)]).nullish(),
  stream_options: z
    .strictObject({ include_usage: z.boolean().optional(), include_obfuscation: z.boolean().optional() })
    .nullish(),
  tool_choice: ToolChoice.optional(),
  tools: z.array(Tool).min(1).max(128).optional(),
  user: z.string().optional(),
  verbosity: Verbosity,
  web_search_options: z.looseObject({}).optional(),
  // Compatible vendors enable reasoning with this field.
  thinking: z.looseObject({ type: z.enum(['enabled', 'disabled', 'auto', 'adaptive']) }).optional(),
  reasoning: z.looseObject({}).optional(),
  enable_thinking: z.boolean().optional(),
  chat_template_kwargs: z.looseObject({}).optional(),
});

export type ChatRequest = z.output<typeof ChatRequestSchema>;
