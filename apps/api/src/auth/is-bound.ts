import type { ApiKey } from './api-keys.ts';

/** Whether a key is limited to some models, or has a budget, which requires a model with a known price. */
export function isBound({ isBoundToModels, budget }: Pick<ApiKey, 'isBoundToModels' | 'budget'>): boolean {
  return isBoundToModels || budget !== undefined;
}

/** Whether requests of a key are checked for their model or their tokens. */
export function hasUsageBounds(apiKey: Pick<ApiKey, 'isBoundToModels' | 'budget' | 'limits'>): boolean {
  return isBound(apiKey) || apiKey.limits?.tpm !== undefined;
}
