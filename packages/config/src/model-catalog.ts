import { fillPattern, matchPattern } from './match-pattern.ts';
import { nearestNames } from './near-names.ts';
import type { QuirksConfig } from './quirks-schema.ts';
import type { Config, ModelConfig } from './schema.ts';

/** An upstream account and the model's name there. */
export interface ModelTarget {
  upstream: string;
  model: string;
  /** The route's own; what they leave open, the upstream's say. */
  quirks?: QuirksConfig | undefined;
}

/** A model that was asked for and where it is served, in the order in which to try. Its `strict` is the model's. */
export interface FoundModel {
  /** The entry that serves the asked id; its own `id` is a pattern when it was found by one. */
  model: ModelConfig;
  targets: ModelTarget[];
}

/** The models that can be asked for. */
export interface ModelCatalog {
  /** Finds what serves an id: the exact entry, else the first pattern that fits, in the order of declaration. */
  find: (modelId: string) => FoundModel | undefined;
  /** The models with exact ids, in the order of declaration. */
  list: () => ModelConfig[];
  /** The three exact ids nearest to one that was not found, nearest first. */
  near: (modelId: string) => string[];
}

/** Builds the catalog of a configuration's models. */
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
