import type { ApiKey } from './api-keys.ts';

/** Whether a key may use some models only, or spends a budget that knows the price of the model that is asked for. */
export function isBound({ isBoundToModels, budget }: Pick<ApiKey, 'isBoundToModels' | 'budget'>): boolean {
  return isBoundToModels || budget !== undefined;
}
