import {
  type ModelCapability,
  modelOf,
  type UpstreamKindName,
  type WellKnownModel,
  type WellKnownUpstream,
  type WellKnownVendor,
} from '@sluice/vendors';
import { KINDS } from './kinds.ts';

const URL = '${SLUICE_SANDBOX_URL:-http://127.0.0.1:8079}';
const KEY = '${SLUICE_SANDBOX_KEY:-sk-sandbox}';

function keyed(kind: UpstreamKindName): WellKnownUpstream {
  return { kind, base_url: `${URL}${KINDS.sandboxPathOf(kind)}`, api_key: KEY };
}

function paired(kind: UpstreamKindName): WellKnownUpstream {
  const access_key = '${SLUICE_SANDBOX_ACCESS_KEY:-ak-sandbox}';
  return { kind, base_url: `${URL}${KINDS.sandboxPathOf(kind)}`, access_key, secret_key: KEY };
}

function video(id: string, upstream: string, model: string): WellKnownModel {
  return { id, routes: [{ upstream, model }], capabilities: ['video'] };
}

function modelFor(capability: ModelCapability, upstream: string): WellKnownModel {
  return { ...modelOf(`sandbox-${capability}`, upstream), capabilities: [capability] };
}

const RERANKERS = KINDS.kinds.filter((kind) => KINDS.capabilitiesOf(kind).includes('rerank'));

/** The sandbox is always available because its credentials have defaults. */
export const SANDBOX: WellKnownVendor = {
  upstreams: {
    sandbox: keyed('videos'),
    'sandbox-a': paired('provider-a'),
    'sandbox-b': paired('provider-b'),
    'sandbox-chat': keyed('chat-completions'),
    'sandbox-responses': keyed('responses'),
    'sandbox-messages': keyed('messages'),
    // The sandbox's model names do not show which thinking parameter the model supports.
    'sandbox-generative': { ...keyed('generative-content'), quirks: { thinking_config: 'level' } },
    ...Object.fromEntries(RERANKERS.map((kind) => [`sandbox-${kind}`, keyed(kind)])),
  },
  models: [
    modelOf('sandbox-video', 'sandbox'),
    // These protocols accept only model names of the vendor. Both models accept a prompt alone or with a first frame.
    video('sandbox-video-a', 'sandbox-a', 'kling-v2-1-master'),
    video('sandbox-video-b', 'sandbox-b', 'jimeng_ti2v_v30_pro'),
    { ...modelOf('sandbox-chat', 'sandbox-chat'), capabilities: ['text'] },
    modelOf('sandbox-responses', 'sandbox-responses'),
    modelOf('sandbox-messages', 'sandbox-messages'),
    modelOf('sandbox-generative', 'sandbox-generative'),
    // OpenAI's protocols do not show a model's capability, so each model declares it.
    ...(['image', 'embedding', 'speech', 'transcription', 'moderation', 'realtime'] as const).map((capability) =>
      modelFor(capability, 'sandbox-chat'),
    ),
    modelFor('rerank', 'sandbox-cohere'),
    ...RERANKERS.filter((kind) => kind !== 'cohere').map((kind) => modelOf(`sandbox-${kind}`, `sandbox-${kind}`)),
  ],
};

export const SANDBOX_DEFAULTS = {
  video_model: 'sandbox-video',
  image_model: 'sandbox-image',
  moderation_model: 'sandbox-moderation',
  realtime_model: 'sandbox-realtime',
} as const;
