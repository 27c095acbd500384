import type { ApiKey } from './api-keys.ts';

/** Whether a key is restricted to a list of models or has a budget. A budget only allows models with a known price. */
export function isBound({ isBoundToModels, budget }: Pick<ApiKey, 'isBoundToModels' | 'budget'>): boolean {
  return isBoundToModels || budget !== undefined;
}

/** Whether a key's requests must be checked for their model or token count. */
export function hasUsageBounds(apiKey: Pick<ApiKey, 'isBoundToModels' | 'budget' | 'limits'>): boolean {
  return isBound(apiKey) || apiKey.limits?.tpm !== undefined;
}
