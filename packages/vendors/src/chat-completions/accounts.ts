import type { TextQuirks } from '@sluice/canonical';
import { allModelsOf, keyed, modelOf, type WellKnownUpstream, type WellKnownVendor } from '../schema/manifest.ts';

const OPENAI_URL = 'https://api.openai.com/v1';
const MISTRAL = ['mistral-*', 'ministral-*', 'magistral-*', 'codestral-*', 'devstral-*', 'pixtral-*', 'open-mistral-*'];

function chatVendor(
  name: string,
  variable: string,
  base_url: string,
  patterns: readonly string[],
  quirks?: TextQuirks,
): WellKnownVendor {
  const upstream = { ...keyed('chat-completions', base_url, variable), ...(quirks && { quirks }) };
  return { upstreams: { [name]: upstream }, models: patterns.map((pattern) => modelOf(pattern, name)) };
}

/** Creates a host that serves models of many vendors. Its models are named `name/…`. */
function chatHost(name: string, variable: string, base_url: string): WellKnownVendor {
  return { ...chatVendor(name, variable, base_url, []), models: [allModelsOf(name)] };
}

const OPENAI: WellKnownVendor = {
  upstreams: {
    openai: keyed('chat-completions', OPENAI_URL, 'OPENAI_API_KEY'),
    'openai-r': keyed('responses', OPENAI_URL, 'OPENAI_API_KEY'),
  },
  models: [
    ...['gpt-*', 'o1*', 'o3*', 'o4*', 'chatgpt-*'].map((id) => modelOf(id, 'openai-r', 'openai')),
    ...['dall-e-*', 'text-embedding-*', 'omni-moderation-*', 'tts-*', 'whisper-*'].map((id) => modelOf(id, 'openai')),
  ],
  // OpenAI's SDKs send these requests without a model. With an OpenAI account, the sandbox must not serve them.
  defaults: { moderation_model: 'omni-moderation-latest', realtime_model: 'gpt-realtime' },
};

/** Creates Azure with the variables of Microsoft's libraries. The names of its models are deployments. */
function azure(credential: Pick<WellKnownUpstream, 'api_key' | 'identity'>): WellKnownVendor {
  const base_url = '${AZURE_OPENAI_ENDPOINT}/openai/v1';
  return {
    upstreams: {
      azure: { kind: 'chat-completions', base_url, ...credential },
      'azure-r': { kind: 'responses', base_url, ...credential },
    },
    models: [
      { id: 'azure/*', routes: [{ upstream: 'azure', model: '*' }] },
      { id: 'azure-r/*', routes: [{ upstream: 'azure-r', model: '*' }] },
    ],
  };
}

const ENTRA = {
  tenant_id: '${AZURE_TENANT_ID}',
  client_id: '${AZURE_CLIENT_ID}',
  authority_host: '${AZURE_AUTHORITY_HOST:-https://login.microsoftonline.com}',
};

/**
 * Accounts of this kind, with the quirks that the vendors document. DeepSeek supports JSON mode but no JSON schemas.
 * DeepSeek and Moonshot require clients to send the model's reasoning back between tool calls. Mistral rejects unknown
 * fields and always reports usage.
 */
export const CHAT_VENDORS: readonly WellKnownVendor[] = [
  OPENAI,
  chatVendor('deepseek', 'DEEPSEEK_API_KEY', 'https://api.deepseek.com/v1', ['deepseek-*'], {
    json_schema: false,
    reasoning_content: true,
  }),
  chatHost('groq', 'GROQ_API_KEY', 'https://api.groq.com/openai/v1'),
  chatVendor('mistral', 'MISTRAL_API_KEY', 'https://api.mistral.ai/v1', MISTRAL, { stream_usage: false }),
  chatVendor('xai', 'XAI_API_KEY', 'https://api.x.ai/v1', ['grok-*']),
  chatHost('openrouter', 'OPENROUTER_API_KEY', 'https://openrouter.ai/api/v1'),
  chatVendor('moonshot', 'MOONSHOT_API_KEY', 'https://api.moonshot.ai/v1', ['kimi-*', 'moonshot-*'], {
    reasoning_content: true,
  }),
  azure({ api_key: '${AZURE_OPENAI_API_KEY}' }),
  azure({ identity: { type: 'azure-client-secret', ...ENTRA, client_secret: '${AZURE_CLIENT_SECRET}' } }),
  azure({ identity: { type: 'azure-workload-identity', ...ENTRA, token_file: '${AZURE_FEDERATED_TOKEN_FILE}' } }),
];
