import { CALL_ID, inSequence, oneOf, PDF, PLAIN, PNG, TEXT, type Template } from './body-template.ts';

const SCHEMA: Template = { type: 'object', properties: { a: { type: 'string', description: TEXT } }, 'title?': TEXT };
const CACHE: Template = { type: 'ephemeral', 'ttl?': oneOf('5m', '1h') };
const BREAKPOINT: Template = { mode: 'explicit', 'ttl?': oneOf('30m', '12h') };
const MARKS = { '...?': oneOf({ prompt_cache_breakpoint: BREAKPOINT }, { cache_control: CACHE }) };
const TEXT_PART: Template = { type: 'text', text: TEXT, ...MARKS };
const USER_PART = oneOf(
  TEXT_PART,
  { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}`, 'detail?': oneOf('low', 'high') }, ...MARKS },
  { type: 'input_audio', input_audio: { data: PLAIN, format: oneOf('wav', 'mp3') } },
  { type: 'file', file: { file_data: `data:application/pdf;base64,${PDF}`, 'filename?': TEXT }, ...MARKS },
  { type: 'file', file: { file_data: `data:text/plain;base64,${PLAIN}`, 'filename?': TEXT } },
  { type: 'hologram', hologram: TEXT },
);
const FUNCTION: Template = { name: TEXT, 'description?': TEXT, parameters: SCHEMA, 'strict?': true };
const TOOL = oneOf(
  { type: 'function', function: FUNCTION, 'cache_control?': CACHE },
  {
    type: 'custom',
    custom: {
      name: TEXT,
      'description?': TEXT,
      'format?': { type: 'grammar', grammar: { syntax: 'lark', definition: TEXT } },
    },
  },
  { type: 'web_search', external_web_access: true },
);
const CALL = oneOf(
  {
    id: CALL_ID,
    type: 'function',
    function: { name: 'go', arguments: `{"a":"${TEXT}"}` },
    'extra_content?': { google: { thought_signature: 'U0lH' } },
  },
  { id: CALL_ID, type: 'custom', custom: { name: 'go', input: TEXT } },
);
const ASSISTANT: Template = {
  role: 'assistant',
  content: oneOf(TEXT, [
    TEXT_PART,
    { type: 'refusal', refusal: TEXT },
    { type: 'thinking', thinking: [{ type: 'text', text: TEXT }] },
  ]),
  'name?': TEXT,
  'refusal?': TEXT,
  'reasoning_content?': TEXT,
  'reasoning_details?': [
    { type: 'reasoning.text', text: TEXT, 'signature?': TEXT, 'id?': TEXT, 'format?': TEXT },
    { type: 'reasoning.summary', summary: TEXT },
    { type: 'reasoning.encrypted', data: TEXT },
  ],
  'thinking_blocks?': [{ type: 'thinking', thinking: TEXT, signature: TEXT }],
  'annotations?': [
    {
      type: 'url_citation',
      url_citation: { url: `https://${TEXT}.example`, title: TEXT, start_index: 3, end_index: 7 },
    },
  ],
  'images?': [{ type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } }],
};
const TURNS: Template = oneOf(
  { role: 'user', content: oneOf(TEXT, [USER_PART]), 'name?': TEXT },
  { role: oneOf('system', 'developer'), content: oneOf(TEXT, [TEXT_PART]), 'name?': TEXT },
  ASSISTANT,
);
const STEP = inSequence(
  { role: 'assistant', content: oneOf(null, TEXT), tool_calls: inSequence(CALL), 'reasoning_content?': TEXT },
  { role: 'tool', tool_call_id: CALL_ID, content: oneOf(TEXT, [TEXT_PART]) },
);

/** Each vendor's way to control reasoning. */
const REASONING = oneOf(
  { reasoning_effort: oneOf('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max') },
  { reasoning: { '...': oneOf({ effort: 'low' }, { max_tokens: 5737 }, { enabled: true }), 'novel?': TEXT } },
  { reasoning: { effort: 'low', exclude: oneOf(true, false) } },
  { include_reasoning: oneOf(true, false) },
  { thinking: oneOf({ type: 'enabled', 'budget_tokens?': 5741 }, { type: 'adaptive' }, { type: 'disabled' }) },
  { enable_thinking: true, 'thinking_budget?': 5743 },
  { enable_thinking: false },
  {
    chat_template_kwargs: { '...': oneOf({ enable_thinking: oneOf(true, false) }, { thinking: true }), 'novel?': TEXT },
  },
  { extra_body: { google: { thinking_config: { thinking_level: 'low', 'include_thoughts?': true, 'novel?': TEXT } } } },
  { extra_body: { 'google?': { 'thinking_config?': { thinking_budget: 5749 }, 'novel?': TEXT }, 'novel?': TEXT } },
);

/** A valid request to `POST /v1/chat/completions`. */
export const CHAT_TEMPLATE: Template = {
  messages: [TURNS, STEP],
  'max_completion_tokens?': 2717,
  'max_tokens?': 2719,
  'temperature?': oneOf(0.27, 1.27),
  'top_p?': 0.37,
  'top_k?': 47,
  'n?': 1,
  'stop?': oneOf(TEXT, [TEXT]),
  'seed?': 5711,
  'presence_penalty?': 0.57,
  'frequency_penalty?': 0.67,
  'logit_bias?': { 77: 7 },
  'logprobs?': true,
  'top_logprobs?': 7,
  '...  ?': oneOf(
    { tools: [TOOL], 'tool_choice?': oneOf('auto', 'none', 'required'), 'parallel_tool_calls?': false },
    { functions: [FUNCTION], 'function_call?': oneOf('auto', 'none') },
  ),
  'response_format?': oneOf(
    { type: 'json_object' },
    { type: 'json_schema', json_schema: { name: TEXT, 'description?': TEXT, schema: SCHEMA, 'strict?': true } },
  ),
  '...?': REASONING,
  'verbosity?': oneOf('low', 'high'),
  'modalities?': oneOf(inSequence('text'), inSequence('text', 'audio')),
  'audio?': { format: 'mp3', voice: oneOf(TEXT, { id: TEXT }) },
  'user?': TEXT,
  'safety_identifier?': TEXT,
  'metadata?': { a: TEXT },
  'service_tier?': oneOf('auto', 'default', 'flex', 'scale', 'priority', 'fast'),
  'prompt_cache_key?': TEXT,
  '... ?': oneOf(
    { prompt_cache_options: { mode: oneOf('implicit', 'explicit'), 'ttl?': '30m' } },
    { cache_control: CACHE },
  ),
  'prompt_cache_retention?': '24h',
  'prediction?': { type: 'content', content: TEXT },
  'moderation?': { model: TEXT },
  'web_search_options?': { search_context_size: 'low' },
  'novel_field?': TEXT,
};
