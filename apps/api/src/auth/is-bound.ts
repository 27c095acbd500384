import type { ApiKey } from './api-keys.ts';

/** Whether a key is limited to some models, or has a budget, which requires a model with a known price. */
export function isBound({ isBoundToModels, budget }: Pick<ApiKey, 'isBoundToModels' | 'budget'>): boolean {
  return isBoundToModels || budget !== undefined;
}
