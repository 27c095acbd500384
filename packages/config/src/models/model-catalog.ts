import { fillPattern, matchPattern } from '../patterns/match-pattern.ts';
import { nearestNames } from '../issues/near-names.ts';
import type { QuirksConfig } from '../schema/quirks-schema.ts';
import type { Config, ModelConfig } from '../schema/schema.ts';

export interface ModelTarget {
  upstream: string;
  model: string;
  /** The route's quirks. Fields absent here come from the upstream's quirks. */
  quirks?: QuirksConfig | undefined;
}

export interface ResolvedModel {
  /** The model's configuration. Its `id` may be a pattern. */
  model: ModelConfig;
  /** Targets, in the order in which they are tried. */
  targets: ModelTarget[];
}

export interface ModelCatalog {
  /** Finds the entry with exactly this id or, without one, the first matching pattern in declaration order. */
  find: (modelId: string) => ResolvedModel | undefined;
  list: () => ModelConfig[];
  /** Returns the three configured ids (without patterns) that are most similar to an unknown id, most similar first. */
  near: (modelId: string) => string[];
}

export function modelCatalog({ models }: Pick<Config, 'models'>): ModelCatalog {
  const patterns = models.filter((model) => model.id.includes('*'));
  const exact = new Map(models.filter((model) => !model.id.includes('*')).map((model) => [model.id, model]));
  return {
    find: (modelId) => {
      const model = exact.get(modelId);
      if (model !== undefined) return { model, targets: model.routes };
      for (const pattern of patterns) {
        const stars = matchPattern(pattern.id, modelId);
        if (stars !== undefined) {
          const targets = pattern.routes.map((route) => ({ ...route, model: fillPattern(route.model, stars) }));
          return { model: pattern, targets };
        }
      }
      return undefined;
    },
    list: () => [...exact.values()],
    near: (modelId) => nearestNames(modelId, [...exact.keys()], 3),
  };
}
