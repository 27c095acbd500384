import type { QuirksConfig } from './quirks-schema.ts';
import { allModelsOf, keyed, modelOf, type WellKnownVendor } from './well-known-vendor.ts';

const OPENAI_URL = 'https://api.openai.com/v1';
const GOOGLE_URL = 'https://generativelanguage.googleapis.com';
const DASHSCOPE_URL = 'https://dashscope.aliyuncs.com';

/** A vendor with one upstream that speaks chat completions. */
function chatVendor(
  name: string,
  variable: string,
  base_url: string,
  patterns: readonly string[],
  quirks?: QuirksConfig,
): WellKnownVendor {
  const upstream = { ...keyed('chat-completions', base_url, variable), ...(quirks && { quirks }) };
  return { upstreams: { [name]: upstream }, models: patterns.map((pattern) => modelOf(pattern, name)) };
}

/** A vendor of many makers' models, each asked for as `name/…`. */
function chatHouse(name: string, variable: string, base_url: string): WellKnownVendor {
  return { ...chatVendor(name, variable, base_url, []), models: [allModelsOf(name)] };
}

/**
 * The well-known vendors that serve text, with what else their keys open. Quirks are those of the vendors' own
 * documents: DeepSeek has JSON mode alone and, as Moonshot, wants its reasoning back between tool calls; Mistral refuses
 * fields that it does not know and tells usage unasked.
 */
export const TEXT_VENDORS: readonly WellKnownVendor[] = [
  {
    upstreams: {
      openai: keyed('chat-completions', OPENAI_URL, 'OPENAI_API_KEY'),
      'openai-r': keyed('responses', OPENAI_URL, 'OPENAI_API_KEY'),
    },
    models: [
      ...['gpt-*', 'o1*', 'o3*', 'o4*', 'chatgpt-*'].map((id) => modelOf(id, 'openai-r', 'openai')),
      ...['dall-e-*', 'text-embedding-*', 'omni-moderation-*', 'tts-*', 'whisper-*'].map((id) => modelOf(id, 'openai')),
    ],
    // Its own SDKs name no model for these, and a stand-in's verdict must not be taken for a real one.
    defaults: { moderation_model: 'omni-moderation-latest', realtime_model: 'gpt-realtime' },
  },
  {
    upstreams: { anthropic: keyed('messages', 'https://api.anthropic.com', 'ANTHROPIC_API_KEY') },
    models: [modelOf('claude-*', 'anthropic')],
  },
  {
    upstreams: {
      google: keyed('generative-content', GOOGLE_URL, 'GEMINI_API_KEY'),
      veo: keyed('veo', GOOGLE_URL, 'GEMINI_API_KEY'),
    },
    models: [modelOf('gemini-*', 'google'), modelOf('veo-*', 'veo')],
  },
  chatVendor('deepseek', 'DEEPSEEK_API_KEY', 'https://api.deepseek.com/v1', ['deepseek-*'], {
    json_schema: false,
    reasoning_content: true,
  }),
  chatHouse('groq', 'GROQ_API_KEY', 'https://api.groq.com/openai/v1'),
  chatVendor(
    'mistral',
    'MISTRAL_API_KEY',
    'https://api.mistral.ai/v1',
    ['mistral-*', 'ministral-*', 'magistral-*', 'codestral-*', 'devstral-*', 'pixtral-*', 'open-mistral-*'],
    { stream_usage: false },
  ),
  chatVendor('xai', 'XAI_API_KEY', 'https://api.x.ai/v1', ['grok-*']),
  chatHouse('openrouter', 'OPENROUTER_API_KEY', 'https://openrouter.ai/api/v1'),
  {
    upstreams: {
      dashscope: keyed('dashscope', DASHSCOPE_URL, 'DASHSCOPE_API_KEY'),
      qwen: keyed('chat-completions', `${DASHSCOPE_URL}/compatible-mode/v1`, 'DASHSCOPE_API_KEY'),
    },
    models: [
      modelOf('wan*', 'dashscope'),
      modelOf('qwen-image*', 'dashscope'), // before `qwen*`, which would take it
      modelOf('qwen*', 'qwen'),
      modelOf('qwq-*', 'qwen'),
    ],
  },
  chatVendor('moonshot', 'MOONSHOT_API_KEY', 'https://api.moonshot.ai/v1', ['kimi-*', 'moonshot-*'], {
    reasoning_content: true,
  }),
];
