import type { ModelCapability } from '@sluice/vendors';
import type { ConfigFile, ModelConfig } from './schema.ts';
import { capabilitiesOfKind } from './kinds.ts';

/** What each of a model's routes can make, by its upstream's kind; nothing for one whose upstream is not there. */
export function routeCapabilities(
  { upstreams }: Pick<ConfigFile, 'upstreams'>,
  { routes }: ModelConfig,
): readonly (readonly ModelCapability[])[] {
  return routes.map(({ upstream }) => {
    const kind = upstreams[upstream]?.kind;
    return kind === undefined ? [] : capabilitiesOfKind(kind);
  });
}

/**
 * What a model can be asked for: what its configuration says. Where it says nothing and a kind makes more than one thing,
 * only the vendor knows which of it the model makes, but for a default: that one is for what it is the default of.
 */
export function capabilitiesOfModel(
  config: Pick<ConfigFile, 'upstreams' | 'defaults'>,
  model: ModelConfig,
): ModelCapability[] {
  const made = [...new Set(routeCapabilities(config, model).flat())];
  const { capabilities } = model;
  if (capabilities) return made.filter((one) => capabilities.includes(one));
  const named = made.filter((one) => defaultModel(config, one) === model.id);
  return named.length > 0 ? named : made;
}

/** The model of requests for a capability that name none. */
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
