import type { QuirksConfig } from './quirks-schema.ts';
import type { TEXT_UPSTREAM_KINDS } from './upstream-schema.ts';

/** A vendor that is on without a configuration file, spelled as in `sluice.yaml`. */
export interface WellKnownVendor {
  /** Its upstreams by name. When a variable that they name is not set, the vendor is off. */
  upstreams: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  models: readonly WellKnownModel[];
}

interface WellKnownModel {
  id: string;
  routes: readonly { upstream: string; model: string }[];
}

type TextKind = (typeof TEXT_UPSTREAM_KINDS)[number];

const SANDBOX_URL = '${SLUICE_SANDBOX_URL:-http://127.0.0.1:8079}';

function sandboxUpstream(kind: 'videos' | TextKind, path: '' | '/v1') {
  return { kind, base_url: `${SANDBOX_URL}${path}`, api_key: '${SLUICE_SANDBOX_KEY:-sk-sandbox}' };
}

/** A model that is called at its one upstream as it is here; a pattern is called as it was asked for. */
function modelOf(id: string, ...upstreams: string[]): WellKnownModel {
  return { id, routes: upstreams.map((upstream) => ({ upstream, model: id })) };
}

/** The stand-in vendor. Its credential has a default: it is always at hand. The first model is the videos' default. */
export const SANDBOX: WellKnownVendor = {
  upstreams: {
    sandbox: sandboxUpstream('videos', '/v1'),
    'sandbox-chat': sandboxUpstream('chat-completions', '/v1'),
    'sandbox-responses': sandboxUpstream('responses', '/v1'),
    'sandbox-messages': sandboxUpstream('messages', ''),
    // Its models have no maker's name by which to tell how they are asked to think.
    'sandbox-generative': { ...sandboxUpstream('generative-content', ''), quirks: { thinking_config: 'level' } },
  },
  models: [
    modelOf('sandbox-video', 'sandbox'),
    modelOf('sandbox-chat', 'sandbox-chat'),
    modelOf('sandbox-responses', 'sandbox-responses'),
    modelOf('sandbox-messages', 'sandbox-messages'),
    modelOf('sandbox-generative', 'sandbox-generative'),
  ],
};

/** A vendor with one upstream that speaks chat completions. */
function chatVendor(
  name: string,
  variable: string,
  base_url: string,
  patterns: readonly string[],
  quirks?: QuirksConfig,
): WellKnownVendor {
  const upstream = { kind: 'chat-completions', base_url, api_key: `\${${variable}}`, ...(quirks && { quirks }) };
  return { upstreams: { [name]: upstream }, models: patterns.map((pattern) => modelOf(pattern, name)) };
}

/** A vendor of many makers' models, each asked for as `name/…`. */
function chatHouse(name: string, variable: string, base_url: string): WellKnownVendor {
  const { upstreams } = chatVendor(name, variable, base_url, []);
  return { upstreams, models: [{ id: `${name}/*`, routes: [{ upstream: name, model: '*' }] }] };
}

/**
 * Vendors that their environment variables switch on when there is no configuration file. Quirks are those of the
 * vendors' own documents: DeepSeek has JSON mode alone and, as Moonshot, wants its reasoning back between tool calls;
 * Mistral refuses fields that it does not know and tells usage unasked.
 */
export const WELL_KNOWN_VENDORS: readonly WellKnownVendor[] = [
  {
    upstreams: {
      openai: { kind: 'chat-completions', base_url: 'https://api.openai.com/v1', api_key: '${OPENAI_API_KEY}' },
      'openai-r': { kind: 'responses', base_url: 'https://api.openai.com/v1', api_key: '${OPENAI_API_KEY}' },
    },
    models: ['gpt-*', 'o1*', 'o3*', 'o4*', 'chatgpt-*'].map((id) => modelOf(id, 'openai-r', 'openai')),
  },
  {
    upstreams: {
      anthropic: { kind: 'messages', base_url: 'https://api.anthropic.com', api_key: '${ANTHROPIC_API_KEY}' },
    },
    models: [modelOf('claude-*', 'anthropic')],
  },
  {
    upstreams: {
      google: {
        kind: 'generative-content',
        base_url: 'https://generativelanguage.googleapis.com',
        api_key: '${GEMINI_API_KEY}',
      },
    },
    models: [modelOf('gemini-*', 'google')],
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
  chatVendor('qwen', 'DASHSCOPE_API_KEY', 'https://dashscope.aliyuncs.com/compatible-mode/v1', ['qwen*', 'qwq-*']),
  chatVendor('moonshot', 'MOONSHOT_API_KEY', 'https://api.moonshot.ai/v1', ['kimi-*', 'moonshot-*'], {
    reasoning_content: true,
  }),
];
