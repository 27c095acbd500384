import { z } from 'zod';
import { names } from '../../schema/names.ts';
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
/** Blocks of beta features and of tools that the vendor runs. They are not fully checked. */
const HOSTED_BLOCKS = [
  ...names('server_tool_use web_search_tool_result web_fetch_tool_result advisor_tool_result tool_search_tool_result'),
  ...names('code_execution_tool_result bash_code_execution_tool_result text_editor_code_execution_tool_result'),
  ...names('mcp_tool_use mcp_tool_result mcp_tool_listing container_upload compaction fallback'),
  ...names('tool_addition tool_removal'),
];
const ToolReference = tagged('tool_reference', { tool_name: z.string(), cache_control: CacheControl });

const ToolUseId = z.string().regex(/^[a-zA-Z0-9_-]+$/);
const BrowserState = z.looseObject({ type: z.literal('browser_state') });
const ResultPart = z.discriminatedUnion('type', [Text, Image, Document, SearchResult, ToolReference, BrowserState]);
const ToolResult = tagged('tool_result', {
  tool_use_id: ToolUseId,
  content: z.union([z.string(), z.array(ResultPart)]).optional(),
  is_error: z.boolean().optional(),
  toolset_name: z.string().nullish(),
  cache_control: CacheControl,
});
const ToolUse = tagged('tool_use', {
  id: ToolUseId,
  name: z.string().min(1).max(200),
  input: z.record(z.string(), z.unknown()),
  caller: z.looseObject({}).optional(),
  toolset_name: z.string().nullish(),
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
  z.looseObject({ type: z.enum(HOSTED_BLOCKS) }),
]);

export type MessagesBlock = z.output<typeof Block>;

const Effort = z.enum(['low', 'medium', 'high', 'xhigh', 'max']);
const Content = z.union([z.string(), z.array(Block)]);
const Message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.enum(['user', 'assistant']), content: Content }),
  z.strictObject({
    role: z.literal('system'),
    content: Content.default(''),
    clear_at: z.enum(['next_user_message', 'never']).nullish(),
    output_config: z.strictObject({ effort: Effort.nullish() }).nullish(),
  }),
]);

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
  /^(?:bash|text_editor|memory|computer|advisor|web_search|web_fetch|code_execution|tool_search_tool_(?:regex|bm25))_\d{8}$/;
const ServerTool = z.looseObject({ type: z.string().regex(BUILT_IN), name: z.string() });
const Toolset = z.strictObject({
  type: z.string().regex(/^(?:mcp_toolset|(?:browser|computer)_toolset_\d{8})$/),
  mcp_server_name: z.string().optional(),
  configs: z.unknown().optional(),
  default_config: z.unknown().optional(),
  tools: z.unknown().optional(),
  cache_control: CacheControl,
});

const Format = tagged('json_schema', { schema: z.looseObject({}) }).nullish();
const thinkingOptions = {
  display: z.enum(['summarized', 'omitted', 'updates']).nullish(),
  block_binding: z.unknown().optional(),
};
const parallelism = { disable_parallel_tool_use: z.boolean().optional() };

/** Checks single fields. `check-messages-request.ts` checks rules across fields. */
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
  tools: z.array(z.union([ClientTool, ServerTool, Toolset])).optional(),
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
      tagged('adaptive', thinkingOptions),
      tagged('enabled', { budget_tokens: z.int().min(1024), ...thinkingOptions }),
      tagged('disabled', {}),
      tagged('between_tools', thinkingOptions),
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
  mcp_servers: z.array(z.looseObject({ type: z.literal('url'), name: z.string(), url: z.string() })).optional(),
  billing_policy: z.looseObject({}).nullish(),
  compaction: z.unknown().optional(),
  fallbacks: z.unknown().optional(),
  fallback_credit_token: z.unknown().optional(),
  thread: z
    .discriminatedUnion('type', [tagged('create', {}), tagged('continue', { previous_message_id: z.string() })])
    .nullish(),
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
  speed: true,
  mcp_servers: true,
  billing_policy: true,
  compaction: true,
});
