import type { ModelList } from '@sluice/api/responses';
import { queryOptions } from '@tanstack/react-query';
import { callApi } from './client.ts';

export interface ListedModel {
  id: string;
  /** Abilities, such as `text` or `video`. */
  capabilities: readonly string[];
}

/** The models that the session can call. Models of a pattern, such as `gpt-*`, are not listed. */
export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: async ({ signal }) => (await callApi<{ data: ListedModel[] }>('/v1/models', { signal })).data,
  staleTime: 60_000,
});

export type RoutedModel = ModelList['data'][number];
export type ModelRoute = RoutedModel['routes'][number];

/** All models with their routes and prices. Only for the admin key. */
export const routedModelsQuery = queryOptions({
  queryKey: ['routed-models'],
  queryFn: ({ signal }) => callApi<ModelList>('/admin/v1/models', { signal }),
});
