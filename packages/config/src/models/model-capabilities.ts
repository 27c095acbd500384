import type { ModelCapability } from '@sluice/vendors';
import type { ConfigFile, ModelConfig } from '../schema/schema.ts';
import { capabilitiesOfKind } from '../schema/kinds.ts';

/** Returns the capabilities of each route, based on its upstream's kind; empty if the upstream is unknown. */
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
