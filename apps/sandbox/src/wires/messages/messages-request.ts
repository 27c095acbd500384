import { z } from 'zod';
import { tagged } from '../../schema/tagged.ts';

const CacheControl = tagged('ephemeral', { ttl: z.enum(['5m', '1h']).optional() }).nullish();
const MEDIA_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;

const Text = tagged('text', {
  text: z.string(),
  cache_control: CacheControl,
  citations: z.array(z.looseObject({})).nullish(),
});
const Image = tagged('image', {
  source: z.discriminatedUnion('type', [
    tagged('base64', { media_type: z.enum(MEDIA_TYPES), data: z.base64() }),
    tagged('url', { url: z.url() }),
    tagged('file', { file_id: z.string() }),
  ]),
  transformations: z.unknown().optional(),
  cache_control: CacheControl,
});
const Document = tagged('document', {
  source: z.discriminatedUnion('type', [
    tagged('base64', { media_type: z.literal('application/pdf'), data: z.base64() }),
    tagged('text', { media_type: z.literal('text/plain'), data: z.string() }),
    tagged('content', { content: z.union([z.string(), z.array(z.discriminatedUnion('type', [Text, Image]))]) }),
    tagged('url', { url: z.url() }),
    tagged('file', { file_id: z.string() }),
  ]),
  title: z.string().nullish(),
  context: z.string().nullish(),
  citations: z.strictObject({ enabled: z.boolean().optional() }).nullish(),
  cache_control: CacheControl,
});
const SearchResult = tagged('search_result', {
  source: z.string(),
  title: z.string(),
  content: z.array(Text),
  citations: z.strictObject({ enabled: z.boolean().optional() }).optional(),
  cache_control: CacheControl,
});
const ToolReference = tagged('tool_reference', { tool_name: z.string(), cache_control: CacheControl });

const ToolUseId = z.string().regex(/^[a-zA-Z0-9_-]+$/);
const ResultPart = z.discriminatedUnion('type', [Text, Image, Document, SearchResult, ToolReference]);
const ToolResult = tagged('tool_result', {
  tool_use_id: ToolUseId,
  content: z.union([z.string(), z.array(ResultPart)]).optional(),
  is_error: z.boolean().optional(),
  cache_control: CacheControl,
});
const ToolUse = tagged('tool_use', {
  id: ToolUseId,
  name: z.string().min(1).max(200),
  input: z.record(z.string(), z.unknown()),
  caller: z.looseObject({}).optional(),
  cache_control: CacheControl,
});
const Thinking = tagged('thinking', { thinking: z.string(), signature: z.string() });
const RedactedThinking = tagged('redacted_thinking', { data: z.string() });

const Block = z.discriminatedUnion('type', [
  Text,
  Image,
  Document,
  SearchResult,
  Thinking,
  RedactedThinking,
  ToolUse,
  ToolResult,
]);

export type MessagesBlock = z.output<typeof Block>;

const Effort = z.enum(['low', 'medium', 'high', 'xhigh', 'max']);
const Message = z.strictObject({
  role: z.enum(['user', 'assistant', 'system']),
  content: z.union([z.string(), z.array(Block)]),
  output_config: z.strictObject({ effort: Effort.optional() }).optional(),
});

export type MessagesMessage = z.output<typeof Message>;

const ToolName = z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/);
const ClientTool = z.strictObject({
  type: z.literal('custom').nullish(),
  name: ToolName,
  description: z.string().optional(),
  input_schema: z.looseObject({ type: z.literal('object') }),
  strict: z.boolean().optional(),
  cache_control: CacheControl,
  defer_loading: z.boolean().optional(),
  eager_input_streaming: z.boolean().nullish(),
  input_examples: z.array(z.record(z.string(), z.unknown())).optional(),
  allowed_callers: z.array(z.string()).optional(),
});
const BUILT_IN =
  /^(?:bash|text_editor|memory|computer|computer_toolset|browser_toolset|web_search|web_fetch|code_execution|tool_search_tool_(?:regex|bm25))_\d{8}$/;
const ServerTool = z.looseObject({ type: z.string().regex(BUILT_IN), name: z.string() });

const Format = tagged('json_schema', { schema: z.looseObject({}) }).nullish();
const display = z.enum(['summarized', 'omitted']).nullish();
const parallelism = { disable_parallel_tool_use: z.boolean().optional() };

/** Field checks only; cross-field rules are in `check-messages-request.ts`. */
export const MessagesRequestSchema = z.strictObject({
  model: z.string().min(1),
  messages: z.array(Message).min(1),
  max_tokens: z.int().min(1),
  system: z.union([z.string(), z.array(Text)]).optional(),
  temperature: z.number().min(0).max(1).optional(),
  top_p: z.number().min(0).max(1).optional(),
  top_k: z.int().min(0).optional(),
  stop_sequences: z.array(z.string()).optional(),
  stream: z.boolean().optional(),
  tools: z.array(z.union([ClientTool, ServerTool])).optional(),
  tool_choice: z
    .discriminatedUnion('type', [
      tagged('auto', { ...parallelism }),
      tagged('any', { ...parallelism }),
      tagged('tool', { name: z.string(), ...parallelism }),
      tagged('none', {}),
    ])
    .optional(),
  thinking: z
    .discriminatedUnion('type', [
      tagged('adaptive', { display }),
      tagged('enabled', { budget_tokens: z.int().min(1024), display }),
      tagged('disabled', {}),
      tagged('between_tools', { display }),
    ])
    .optional(),
  output_config: z
    .strictObject({
      effort: Effort.nullish(),
      format: Format,
      task_budget: z.unknown().optional(),
    })
    .optional(),
  output_format: Format,
  cache_control: CacheControl,
  metadata: z.strictObject({ user_id: z.string().max(512).nullish() }).optional(),
  service_tier: z.enum(['auto', 'standard_only']).optional(),
  speed: z.enum(['standard', 'fast']).nullish(),
  inference_geo: z.string().nullish(),
  container: z.unknown().optional(),
  diagnostics: z.looseObject({}).nullish(),
  context_management: z.looseObject({}).nullish(),
});

export type MessagesRequest = z.output<typeof MessagesRequestSchema>;

export const CountRequestSchema = MessagesRequestSchema.pick({
  messages: true,
  model: true,
  system: true,
  tools: true,
  tool_choice: true,
  thinking: true,
  output_config: true,
  output_format: true,
  cache_control: true,
  context_management: true,
});
