import type { ModelCapability } from '@sluice/vendors';
import type { ConfigFile, ModelConfig } from '../schema/schema.ts';
import { capabilitiesOfKind } from '../schema/kinds.ts';

/** Capabilities of each route of a model, by the kind of its upstream; empty for an unknown upstream. */
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
 * Capabilities of a model: the configured ones, otherwise all of its routes. Only the vendor knows which of them the
 * model has, except that a default model has the one that it is the default of.
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
