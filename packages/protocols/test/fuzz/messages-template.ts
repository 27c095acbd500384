import { CALL_ID, inSequence, oneOf, PDF, PNG, TEXT, type Template } from './body-template.ts';

const SCHEMA: Template = { type: 'object', properties: { a: { type: 'string', description: TEXT } }, 'title?': TEXT };
const CACHE = { 'cache_control?': { type: 'ephemeral', 'ttl?': oneOf('5m', '1h'), 'scope?': TEXT } };
const TEXT_BLOCK: Template = { type: 'text', text: TEXT, ...CACHE };
const IMAGE: Template = {
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: PNG },
  'transformations?': [{ type: 'crop', x: 7 }],
  ...CACHE,
};
const DOCUMENT: Template = {
  type: 'document',
  source: oneOf(
    { type: 'base64', media_type: 'application/pdf', data: PDF },
    { type: 'text', media_type: 'text/plain', data: TEXT },
    { type: 'content', content: oneOf(TEXT, [{ type: 'text', text: TEXT, ...CACHE }, IMAGE]) },
  ),
  'title?': TEXT,
  'context?': TEXT,
  'citations?': { enabled: true },
  ...CACHE,
};
const SEARCH_RESULT: Template = {
  type: 'search_result',
  source: TEXT,
  title: TEXT,
  content: [{ type: 'text', text: TEXT }],
  'citations?': { enabled: true },
  ...CACHE,
};
const USER_BLOCK = oneOf(TEXT_BLOCK, IMAGE, DOCUMENT, SEARCH_RESULT, { type: 'container_upload', file_id: TEXT });
const CITATION = oneOf(
  {
    type: 'char_location',
    cited_text: TEXT,
    document_index: 1,
    document_title: TEXT,
    start_char_index: 3,
    end_char_index: 7,
  },
  {
    type: 'web_search_result_location',
    url: `https://${TEXT}.example`,
    title: TEXT,
    cited_text: TEXT,
    encrypted_index: TEXT,
  },
  { type: 'search_result_location', source: TEXT, title: TEXT, cited_text: TEXT, search_result_index: 1 },
);
const ASSISTANT_BLOCK = oneOf(
  { type: 'text', text: TEXT, 'citations?': [CITATION], ...CACHE },
  { type: 'thinking', thinking: TEXT, signature: TEXT },
  { type: 'redacted_thinking', data: TEXT },
  { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: TEXT } },
  { type: 'compaction', content: TEXT, 'encrypted_content?': TEXT },
);
const TOOL: Template = {
  name: TEXT,
  'description?': TEXT,
  input_schema: SCHEMA,
  'type?': 'custom',
  'strict?': true,
  'defer_loading?': true,
  'eager_input_streaming?': true,
  'input_examples?': [{ a: TEXT }],
  'allowed_callers?': ['direct'],
  ...CACHE,
};
const TURN = oneOf(
  { role: 'user', content: oneOf(TEXT, [USER_BLOCK]) },
  { role: 'assistant', content: oneOf(TEXT, [ASSISTANT_BLOCK]) },
  {
    role: 'system',
    content: oneOf(TEXT, [TEXT_BLOCK, { type: 'tool_addition', tool: TOOL }, { type: 'tool_removal', name: TEXT }]),
    'output_config?': { effort: 'low', 'novel?': TEXT },
    'clear_at?': TEXT,
  },
);
const STEP = inSequence(
  {
    role: 'assistant',
    content: inSequence({
      type: 'tool_use',
      id: CALL_ID,
      name: 'go',
      input: { a: TEXT },
      'caller?': { type: 'code', tool_id: TEXT },
      ...CACHE,
    }),
  },
  {
    role: 'user',
    content: inSequence({
      type: 'tool_result',
      tool_use_id: CALL_ID,
      content: oneOf(TEXT, [TEXT_BLOCK, IMAGE, DOCUMENT, { type: 'tool_reference', tool_name: TEXT }]),
      'is_error?': true,
      ...CACHE,
    }),
  },
);

/** A valid request to `POST /v1/messages`. */
export const MESSAGES_TEMPLATE: Template = {
  max_tokens: 60_007,
  messages: [TURN, STEP],
  'system?': oneOf(TEXT, [TEXT_BLOCK]),
  'temperature?': 0.27,
  'top_p?': 0.37,
  'top_k?': 47,
  'stop_sequences?': [TEXT],
  'tools?': [TOOL, { type: 'bash_20250124', name: 'bash' }],
  'tool_choice?': oneOf(
    { type: 'auto', 'disable_parallel_tool_use?': true },
    { type: 'any', 'disable_parallel_tool_use?': true },
    { type: 'none' },
  ),
  'thinking?': oneOf(
    { type: 'enabled', budget_tokens: 33_741, 'display?': oneOf('omitted', 'summarized') },
    { type: 'adaptive', 'display?': oneOf('omitted', 'summarized') },
    { type: 'disabled' },
    { type: 'between_tools' },
  ),
  'output_config?': {
    'effort?': oneOf('medium', 'max'),
    'task_budget?': { type: 'tokens', total: 2749 },
    'novel?': TEXT,
  },
  '...?': oneOf(
    { output_format: { type: 'json_schema', schema: SCHEMA } },
    { output_config: { format: { type: 'json_schema', schema: SCHEMA } } },
  ),
  'metadata?': { user_id: TEXT, 'novel?': TEXT },
  'service_tier?': oneOf('auto', 'standard_only'),
  'speed?': 'fast',
  'inference_geo?': TEXT,
  'container?': TEXT,
  'diagnostics?': { previous_message_id: TEXT },
  'context_management?': { edits: [{ type: 'clear_tool_uses_20250919' }] },
  'enable_thinking?': oneOf(true, false),
  'novel_field?': TEXT,
  ...CACHE,
};
