import type { ModelCapability } from '@sluice/vendors';
import type { ConfigFile, ModelConfig, UpstreamConfig } from '../schema/schema.ts';
import { capabilitiesOfKind, isMediaKind, KINDS } from '../schema/kinds.ts';

/** Returns the capabilities of each route, based on its upstream; empty if the upstream is unknown. */
export function routeCapabilities(
  { upstreams }: Pick<ConfigFile, 'upstreams'>,
  { routes }: ModelConfig,
): readonly (readonly ModelCapability[])[] {
  return routes.map(({ upstream }) => {
    const config = upstreams[upstream];
    return config ? capabilitiesOfKind(config.kind).filter((capability) => !needsOutput(config, capability)) : [];
  });
}

/** Whether the upstream would have the capability with a folder for its output. */
export function needsOutput(upstream: UpstreamConfig | undefined, capability: ModelCapability): boolean {
  if (!upstream || upstream.output_uri !== undefined || capability !== 'video') return false;
  return KINDS.outputOf(upstream.kind)?.isRequired === true;
}

/** Whether the upstream generates videos or images, as far as its fields and routes show. */
export function servesMedia({ upstreams, models }: Pick<ConfigFile, 'upstreams' | 'models'>, name: string): boolean {
  const upstream = upstreams[name];
  if (!upstream || !isMediaKind(upstream.kind)) return false;
  const { kind, output_uri: uri } = upstream;
  if (uri !== undefined || KINDS.generatesMedia(kind, '') === undefined) return true;
  return models.some(({ capabilities = [], routes }) => {
    const isMedia = capabilities.includes('video') || capabilities.includes('image');
    return routes.some((route) => route.upstream === name && (isMedia || KINDS.generatesMedia(kind, route.model)));
  });
}

/**
 * Returns the configured capabilities. If none are configured, returns all capabilities of the model's routes, because
 * only the vendor knows which ones the model has. A default model has only the capabilities that it is the default for.
 */
export function capabilitiesOfModel(
  config: Pick<ConfigFile, 'upstreams' | 'defaults'>,
  model: ModelConfig,
): ModelCapability[] {
  const served = [...new Set(routeCapabilities(config, model).flat())];
  const { capabilities } = model;
  if (capabilities) return served.filter((one) => capabilities.includes(one));
  const byDefault = served.filter((one) => defaultModel(config, one) === model.id);
  return byDefault.length > 0 ? byDefault : served;
}

function defaultModel({ defaults }: Pick<ConfigFile, 'defaults'>, capability: ModelCapability): string | undefined {
  switch (capability) {
    case 'video':
    case 'image':
    case 'moderation':
    case 'realtime':
      return defaults[`${capability}_model`];
    case 'text':
    case 'embedding':
    case 'rerank':
    case 'speech':
    case 'transcription':
      return undefined;
  }
}
