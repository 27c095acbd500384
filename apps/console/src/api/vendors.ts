import type { Vendor, VendorModels } from '@sluice/api/responses';
import { queryOptions } from '@tanstack/react-query';
import { callApi } from './client.ts';

export type { Vendor };

/** The vendors that Sluice knows. Only for the admin key. */
export const vendorsQuery = queryOptions({
  queryKey: ['vendors'],
  queryFn: async ({ signal }) => {
    const { data } = await callApi<{ data: Vendor[] }>('/admin/v1/vendors', { signal });
    return data;
  },
  staleTime: 60_000,
});

/**
 * Lists the models that a vendor's key may use. This is no query, because a cache would keep the key.
 * @throws ApiError
 */
export async function listVendorModels(name: string, apiKey: string): Promise<string[]> {
  const path = `/admin/v1/vendors/${encodeURIComponent(name)}/models`;
  const { data } = await callApi<VendorModels>(path, { method: 'POST', body: { api_key: apiKey } });
  return data.map(({ id }) => id);
}
