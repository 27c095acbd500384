import { z } from 'zod';
import { InputItemSchema } from './input-item.ts';

const Name = z
  .string()
  .min(1)
  .regex(/^[a-zA-Z0-9_-]+$/)
  .max(64);
const FunctionTool = z.strictObject({
  type: z.literal('function'),
  name: Name,
  description: z.string().nullish(),
  parameters: z.looseObject({}).nullish(),
  strict: z.boolean().nullish(),
  defer_loading: z.boolean().optional(),
  async: z.boolean().nullish(),
  output_schema: z.unknown().optional(),
  allowed_callers: z.unknown().optional(),
});
const CustomTool = z.strictObject({
  type: z.literal('custom'),
  name: Name,
  description: z.string().optional(),
  format: z.looseObject({ type: z.enum(['text', 'grammar']) }).optional(),
  defer_loading: z.boolean().optional(),
  allowed_callers: z.unknown().optional(),
});
const HOSTED = [
  'web_search',
  'web_search_2025_08_26',
  'web_search_preview',
  'web_search_preview_2025_03_11',
  'file_search',
  'code_interpreter',
  'image_generation',
  'computer',
  'computer_use_preview',
  'mcp',
  'shell',
  'local_shell',
  'apply_patch',
  'tool_search',
  'programmatic_tool_calling',
] as const;

export const ResponsesToolSchema = z.discriminatedUnion('type', [
  FunctionTool,
  CustomTool,
  z.strictObject({
    type: z.literal('namespace'),
    name: Name,
    description: z.string().optional(),
    tools: z.array(z.discriminatedUnion('type', [FunctionTool, CustomTool])),
  }),
  z.looseObject({ type: z.enum(HOSTED) }),
]);

export type ResponsesTool = z.output<typeof ResponsesToolSchema>;

const ToolChoice = z.union([
  z.enum(['none', 'auto', 'required']),
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.enum(['function', 'custom']), name: z.string() }),
    z.strictObject({
      type: z.literal('allowed_tools'),
      mode: z.enum(['auto', 'required']),
      tools: z.array(z.looseObject({ type: z.string(), name: z.string().optional() })),
    }),
    z.looseObject({ type: z.enum(HOSTED) }),
  ]),
]);
const Format = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text') }),
  z.strictObject({ type: z.literal('json_object') }),
  z.strictObject({
    type: z.literal('json_schema'),
    name: Name,
    schema: z.looseObject({}),
    description: z.string().optional(),
    strict: z.boolean().nullish(),
  }),
]);
const INCLUDE = [
  'file_search_call.results',
  'web_search_call.results',
  'web_search_call.action.sources',
  'message.input_image.image_url',
  'computer_call_output.output.image_url',
  'code_interpreter_call.outputs',
  'reasoning.encrypted_content',
  'message.output_text.logprobs',
] as const;
const conversation = {
  model: z.string().min(1),
  input: z.union([z.string(), z.array(InputItemSchema)]).optional(),
  instructions: z.string().nullish(),
  previous_response_id: z.string().nullish(),
};
const shape = {
  tools: z.array(ResponsesToolSchema).nullish(),
  tool_choice: ToolChoice.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  text: z.strictObject({ format: Format.optional(), verbosity: z.enum(['low', 'medium', 'high']).nullish() }).nullish(),
  reasoning: z
    .strictObject({
      effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']).nullish(),
      summary: z.enum(['auto', 'concise', 'detailed']).nullish(),
      generate_summary: z.enum(['auto', 'concise', 'detailed']).nullish(),
      context: z.enum(['auto', 'current_turn', 'all_turns']).nullish(),
      mode: z.string().nullish(),
    })
    .nullish(),
  truncation: z.enum(['auto', 'disabled']).nullish(),
};
const cache = {
  prompt_cache_key: z.string().nullish(),
  prompt_cache_options: z.looseObject({}).nullish(),
  prompt_cache_retention: z.enum(['in_memory', 'in-memory', '24h']).nullish(),
  service_tier: z.enum(['auto', 'default', 'flex', 'scale', 'priority', 'fast', 'ultrafast']).nullish(),
};

/** Field checks only; cross-field rules are in `check-responses-request.ts`. */
export const ResponsesRequestSchema = z.strictObject({
  ...conversation,
  ...shape,
  ...cache,
  max_output_tokens: z.int().min(16).nullish(),
  max_tool_calls: z.int().min(1).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  top_logprobs: z.int().min(0).max(20).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.strictObject({ include_obfuscation: z.boolean().optional() }).nullish(),
  include: z.array(z.enum(INCLUDE)).nullish(),
  store: z.boolean().nullish(),
  background: z.boolean().nullish(),
  conversation: z.unknown().optional(),
  context_management: z.array(z.looseObject({ type: z.literal('compaction') })).nullish(),
  prompt: z.looseObject({ id: z.string() }).nullish(),
  metadata: z.record(z.string().max(64), z.string().max(512)).nullish(),
  safety_identifier: z.string().nullish(),
  user: z.string().nullish(),
  moderation: z.looseObject({}).nullish(),
  access_programs: z.unknown().optional(),
  image: z.unknown().optional(),
  // Sent by Codex.
  client_metadata: z.record(z.string(), z.unknown()).nullish(),
});

export type ResponsesRequest = z.output<typeof ResponsesRequestSchema>;

export const CountRequestSchema = z.strictObject({ ...conversation, ...shape, conversation: z.unknown().optional() });

export const CompactRequestSchema = z.strictObject({ ...conversation, ...cache, image: z.unknown().optional() });
