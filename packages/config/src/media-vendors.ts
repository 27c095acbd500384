import type { UpstreamKindName } from './upstream-schema.ts';
import { allModelsOf, keyed, modelOf, type WellKnownUpstream, type WellKnownVendor } from './well-known-vendor.ts';

/** A vendor with one upstream, named after its kind, and a key. */
function keyVendor(kind: UpstreamKindName, variable: string, base_url: string, patterns: string[]): WellKnownVendor {
  return { upstreams: { [kind]: keyed(kind, base_url, variable) }, models: patterns.map((id) => modelOf(id, kind)) };
}

/** A vendor of many makers' models, each asked for as `kind/…` besides. */
function keyHouse(kind: UpstreamKindName, variable: string, base_url: string, patterns: string[]): WellKnownVendor {
  const { upstreams, models } = keyVendor(kind, variable, base_url, patterns);
  return { upstreams, models: [...models, allModelsOf(kind)] };
}

/** Kling, whose keys are of two sorts. */
function kling(credential: Partial<WellKnownUpstream>): WellKnownVendor {
  const upstream = { kind: 'provider-a', base_url: 'https://api-singapore.klingai.com', ...credential } as const;
  return { upstreams: { kling: upstream }, models: [modelOf('kling-*', 'kling')] };
}

/** The well-known vendors of videos and images alone. Where two have one name, the first whose variables are set is on. */
export const MEDIA_VENDORS: readonly WellKnownVendor[] = [
  kling({ api_key: '${KLING_API_KEY}' }),
  kling({ access_key: '${KLING_AK}', secret_key: '${KLING_SK}' }),
  {
    upstreams: {
      jimeng: {
        kind: 'provider-b',
        base_url: 'https://visual.volcengineapi.com',
        access_key: '${VOLC_AK}',
        secret_key: '${VOLC_SK}',
      },
    },
    models: [modelOf('jimeng_*', 'jimeng')],
  },
  keyVendor('ark', 'ARK_API_KEY', 'https://ark.cn-beijing.volces.com/api/v3', ['doubao-seedance-*']),
  // Hailuo and H3 begin alike.
  keyVendor('minimax', 'MINIMAX_API_KEY', 'https://api.minimax.io', ['MiniMax-H*', 'T2V-01*', 'I2V-01*', 'S2V-01*']),
  keyVendor('vidu', 'VIDU_API_KEY', 'https://api.vidu.com/ent/v2', ['vidu*']),
  keyHouse('runway', 'RUNWAYML_API_SECRET', 'https://api.dev.runwayml.com', ['gen3*', 'gen4*']),
  keyHouse('fal', 'FAL_KEY', 'https://queue.fal.run', ['fal-ai/*']),
  keyHouse('replicate', 'REPLICATE_API_TOKEN', 'https://api.replicate.com/v1', []),
];
