import { fillPattern, matchPattern } from '../patterns/match-pattern.ts';
import { nearestNames } from '../issues/near-names.ts';
import type { QuirksConfig } from '../schema/quirks-schema.ts';
import type { Config, ModelConfig } from '../schema/schema.ts';

export interface ModelTarget {
  upstream: string;
  model: string;
  /** The route's quirks. Fields absent here come from the upstream's quirks. */
  quirks?: QuirksConfig | undefined;
  /** Routes with a lower number are tried first. The default is 1. */
  priority?: number | undefined;
  /** The share of the traffic. The default is 1. */
  weight?: number | undefined;
}

export interface ResolvedModel {
  /** The model's configuration. Its `id` may be a pattern. */
  model: ModelConfig;
  /** Targets, in the order in which they are tried. */
  targets: readonly ModelTarget[];
}

export interface ModelCatalog {
  /** Finds the entry with exactly this id or, without one, the first matching pattern in declaration order. */
  find: (modelId: string) => ResolvedModel | undefined;
  list: () => ModelConfig[];
  /** Returns the three configured ids (without patterns) that are most similar to an unknown id, most similar first. */
  near: (modelId: string) => string[];
}

/** Maximum number of cached ids that match a pattern. Clients choose them. */
const MAX_MATCHED = 1_000;
/** Longer ids are not cached. */
const MAX_ID_LENGTH = 256;

export function modelCatalog({ models }: Pick<Config, 'models'>): ModelCatalog {
  const patterns = models.filter((model) => model.id.includes('*'));
  const exact = new Map(
    models.filter((model) => !model.id.includes('*')).map((model) => [model.id, { model, targets: model.routes }]),
  );
  const matched = new Map<string, ResolvedModel>();

  function match(modelId: string): ResolvedModel | undefined {
    for (const model of patterns) {
      const stars = matchPattern(model.id, modelId);
      if (stars === undefined) continue;
      const targets = model.routes.map((route) => ({ ...route, model: fillPattern(route.model, stars) }));
      const resolved = { model, targets };
      if (matched.size >= MAX_MATCHED) matched.clear();
      if (modelId.length <= MAX_ID_LENGTH) matched.set(modelId, resolved);
      return resolved;
    }
    return undefined;
  }

  return {
    find: (modelId) => exact.get(modelId) ?? matched.get(modelId) ?? match(modelId),
    list: () => models.filter((model) => !model.id.includes('*')),
    near: (modelId) => nearestNames(modelId, [...exact.keys()], 3),
  };
}
