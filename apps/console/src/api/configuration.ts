import type { Configuration } from '@sluice/api/responses';
import { queryOptions } from '@tanstack/react-query';
import { callApi } from './client.ts';

export type { Configuration };

/** The running configuration and the changes of its file, without secrets. Only for the admin key. */
export const configurationQuery = queryOptions({
  queryKey: ['configuration'],
  queryFn: ({ signal }) => callApi<Configuration>('/admin/v1/configuration', { signal }),
});
