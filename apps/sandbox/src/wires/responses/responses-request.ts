import { z } from 'zod';
import { InputItemSchema } from './input-item.ts';
import { names } from '../../schema/names.ts';
import { tagged } from '../../schema/tagged.ts';
import {
  CacheRetention,
  commonFields,
  Effort,
  Grammar,
  Name,
  SERVICE_TIERS,
  ToolMode,
  Verbosity,
} from '../openai-style/request-fields.ts';

const FunctionTool = tagged('function', {
  name: Name,
  description: z.string().nullish(),
  parameters: z.looseObject({}).nullish(),
  strict: z.boolean().nullish(),
  defer_loading: z.boolean().optional(),
  async: z.boolean().nullish(),
  output_schema: z.unknown().optional(),
  allowed_callers: z.unknown().optional(),
});
const CustomTool = tagged('custom', {
  name: Name,
  description: z.string().optional(),
  format: Grammar,
  async: z.boolean().nullish(),
  defer_loading: z.boolean().optional(),
  allowed_callers: z.unknown().optional(),
});
const HOSTED = [
  ...names('web_search web_search_2025_08_26 web_search_preview web_search_preview_2025_03_11'),
  ...names('file_search code_interpreter image_generation computer computer_use_preview mcp shell local_shell'),
  ...names('apply_patch tool_search programmatic_tool_calling'),
];

export const ResponsesToolSchema = z.discriminatedUnion('type', [
  FunctionTool,
  CustomTool,
  tagged('namespace', {
    name: Name,
    description: z.string().optional(),
    tools: z.array(z.discriminatedUnion('type', [FunctionTool, CustomTool])),
  }),
  z.looseObject({ type: z.enum(HOSTED) }),
]);

export type ResponsesTool = z.output<typeof ResponsesToolSchema>;

const ToolChoice = z.union([
  ToolMode,
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.enum(['function', 'custom']), name: z.string() }),
    tagged('allowed_tools', {
      mode: z.enum(['auto', 'required']),
      tools: z.array(z.looseObject({ type: z.string(), name: z.string().optional() })),
    }),
    z.looseObject({ type: z.enum(HOSTED) }),
  ]),
]);
const Format = z.discriminatedUnion('type', [
  tagged('text', {}),
  tagged('json_object', {}),
  tagged('json_schema', {
    name: Name,
    schema: z.looseObject({}),
    description: z.string().optional(),
    strict: z.boolean().nullish(),
  }),
]);
const INCLUDE = [
  ...names('file_search_call.results web_search_call.results web_search_call.action.sources'),
  ...names('message.input_image.image_url computer_call_output.output.image_url code_interpreter_call.outputs'),
  ...names('reasoning.encrypted_content message.output_text.logprobs'),
];
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
  text: z.strictObject({ format: Format.optional(), verbosity: Verbosity }).nullish(),
  reasoning: z
    .strictObject({
      effort: Effort,
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
  prompt_cache_retention: CacheRetention,
  service_tier: z.enum([...SERVICE_TIERS, 'ultrafast']).nullish(),
};

/** Checks single fields. `check-responses-request.ts` checks rules across fields. */
export const ResponsesRequestSchema = z.strictObject({
  ...conversation,
  ...shape,
  ...cache,
  ...commonFields,
  max_output_tokens: z.int().min(16).nullish(),
  max_tool_calls: z.int().min(1).nullish(),
  stream_options: z.strictObject({ include_obfuscation: z.boolean().optional() }).nullish(),
  include: z.array(z.enum(INCLUDE)).nullish(),
  background: z.boolean().nullish(),
  conversation: z.unknown().optional(),
  context_management: z.array(z.looseObject({ type: z.literal('compaction') })).nullish(),
  prompt: z.looseObject({ id: z.string() }).nullish(),
  safety_identifier: z.string().nullish(),
  user: z.string().nullish(),
  access_programs: z.unknown().optional(),
  image: z.unknown().optional(),
  // Codex sends this field.
  client_metadata: z.record(z.string(), z.unknown()).nullish(),
});

export type ResponsesRequest = z.output<typeof ResponsesRequestSchema>;

/** For these endpoints, `input` may also be null. */
const input = conversation.input.nullable();

export const CountRequestSchema = z.strictObject({
  ...conversation,
  input,
  ...shape,
  conversation: z.unknown().optional(),
  personality: z.string().max(64).nullish(),
});

export const CompactRequestSchema = z.strictObject({ ...conversation, input, ...cache, image: z.unknown().optional() });
