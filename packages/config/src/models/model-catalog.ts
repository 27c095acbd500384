import { fillPattern, matchPattern } from '../patterns/match-pattern.ts';
import { nearestNames } from '../issues/near-names.ts';
import type { QuirksConfig } from '../schema/quirks-schema.ts';
import type { Config, ModelConfig } from '../schema/schema.ts';

export interface ModelTarget {
  upstream: string;
  model: string;
  /** The route's own; the upstream's apply to fields that are absent. */
  quirks?: QuirksConfig | undefined;
}

/** A model and its targets, in the order in which to try them. */
export interface FoundModel {
  /** The entry that serves the id; its own `id` may be a pattern. */
  model: ModelConfig;
  targets: ModelTarget[];
}

export interface ModelCatalog {
  /** Finds the exact entry, else the first pattern that matches, in the order of declaration. */
  find: (modelId: string) => FoundModel | undefined;
  /** The models with exact ids, in the order of declaration. */
  list: () => ModelConfig[];
  /** The three exact ids nearest to an unknown one, nearest first. */
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
