import { CALL_ID, inSequence, oneOf, PDF, PLAIN, PNG, TEXT, type Template } from './body-template.ts';

const SCHEMA: Template = { type: 'object', properties: { a: { type: 'string', description: TEXT } }, 'title?': TEXT };
const MARK = { 'prompt_cache_breakpoint?': { mode: 'explicit', 'ttl?': oneOf('30m', '12h') } };
const INPUT_PART = oneOf(
  { type: 'input_text', text: TEXT, ...MARK },
  {
    type: 'input_image',
    image_url: `data:image/png;base64,${PNG}`,
    'detail?': oneOf('low', 'high', 'original'),
    ...MARK,
  },
  {
    type: 'input_file',
    file_data: `data:application/pdf;base64,${PDF}`,
    'filename?': TEXT,
    'detail?': 'high',
    ...MARK,
  },
  { type: 'input_file', file_data: `data:text/plain;base64,${PLAIN}`, 'filename?': TEXT },
  { type: 'input_audio', input_audio: { data: PLAIN, format: 'wav' } },
);
const ANNOTATION = oneOf(
  { type: 'url_citation', url: `https://${TEXT}.example`, title: TEXT, start_index: 3, end_index: 7 },
  { type: 'file_citation', file_id: TEXT, filename: TEXT, index: 3 },
);
const OUTPUT_PART = oneOf(
  {
    type: 'output_text',
    text: TEXT,
    annotations: oneOf([ANNOTATION], inSequence()),
    'logprobs?': [{ token: TEXT, logprob: -0.7 }],
  },
  { type: 'refusal', refusal: TEXT },
);
const FUNCTION: Template = {
  type: 'function',
  name: TEXT,
  'description?': TEXT,
  parameters: SCHEMA,
  'strict?': true,
  'defer_loading?': true,
  'async?': true,
  'output_schema?': SCHEMA,
  'allowed_callers?': ['direct'],
};
const CUSTOM: Template = {
  type: 'custom',
  name: TEXT,
  'description?': TEXT,
  'format?': { type: 'grammar', syntax: 'lark', definition: TEXT },
};
const TOOL = oneOf(
  FUNCTION,
  CUSTOM,
  { type: 'namespace', name: TEXT, description: TEXT, tools: [FUNCTION, CUSTOM] },
  { type: 'web_search', external_web_access: true },
);
const REASONING: Template = {
  type: 'reasoning',
  'id?': 'rs_1',
  summary: oneOf(inSequence(), [{ type: 'summary_text', text: TEXT }]),
  'content?': [{ type: 'reasoning_text', text: TEXT }],
  'encrypted_content?': TEXT,
};
const ITEM = oneOf(
  { role: oneOf('user', 'system', 'developer'), content: oneOf(TEXT, [INPUT_PART]) },
  {
    type: 'message',
    role: 'assistant',
    id: 'msg_1',
    status: 'completed',
    content: [OUTPUT_PART],
    'phase?': 'commentary',
  },
  REASONING,
  { type: 'additional_tools', role: 'developer', tools: [TOOL] },
  { type: 'configuration_update', reasoning: { effort: 'low' } },
  { type: 'item_reference', id: 'rs_9' },
  { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: TEXT } },
  { type: 'hologram', hologram: TEXT },
);
const STEP = oneOf(
  inSequence(
    {
      type: 'function_call',
      call_id: CALL_ID,
      name: 'go',
      'namespace?': 'n',
      arguments: `{"a":"${TEXT}"}`,
      'caller?': { type: 'program', id: TEXT },
    },
    { type: 'function_call_output', call_id: CALL_ID, output: oneOf(TEXT, [INPUT_PART]) },
  ),
  inSequence(
    { type: 'custom_tool_call', call_id: CALL_ID, name: 'go', input: TEXT },
    { type: 'custom_tool_call_output', call_id: CALL_ID, output: oneOf(TEXT, [INPUT_PART]) },
  ),
);

/** A valid request to `POST /v1/responses`. */
export const RESPONSES_TEMPLATE: Template = {
  input: oneOf(TEXT, inSequence({ role: 'user', content: TEXT }), [ITEM, STEP]),
  'instructions?': TEXT,
  'max_output_tokens?': 2717,
  'max_tool_calls?': 27,
  'temperature?': oneOf(0.27, 1.27),
  'top_p?': 0.37,
  'top_logprobs?': 7,
  'tools?': [TOOL],
  'tool_choice?': oneOf('auto', 'none', 'required'),
  'parallel_tool_calls?': false,
  'text?': {
    'format?': oneOf(
      { type: 'json_object' },
      { type: 'json_schema', name: TEXT, 'description?': TEXT, schema: SCHEMA, 'strict?': true },
    ),
    'verbosity?': oneOf('low', 'high'),
    'novel?': TEXT,
  },
  'reasoning?': {
    'effort?': oneOf('none', 'low', 'xhigh', 'max'),
    'summary?': oneOf('auto', 'detailed'),
    'context?': 'all_turns',
    'mode?': 'pro',
    'novel?': TEXT,
  },
  'include?': [oneOf('message.output_text.logprobs', 'file_search_call.results')],
  'truncation?': 'auto',
  'context_management?': [{ type: 'compaction', compact_threshold: 2731 }],
  'metadata?': { a: TEXT },
  'service_tier?': oneOf('auto', 'default', 'flex', 'scale', 'priority', 'fast', 'ultrafast'),
  'prompt_cache_key?': TEXT,
  'prompt_cache_options?': { mode: oneOf('implicit', 'explicit'), 'ttl?': '30m', 'prewarm?': true },
  'prompt_cache_retention?': '24h',
  'safety_identifier?': TEXT,
  'user?': TEXT,
  'moderation?': { model: TEXT },
  'enable_thinking?': oneOf(true, false),
  'chat_template_kwargs?': { enable_thinking: true },
  'novel_field?': TEXT,
};
