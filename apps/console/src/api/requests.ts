import type { LedgerEntry, LedgerPage, RequestHistogram } from '@sluice/api/responses';
import { queryOptions } from '@tanstack/react-query';
import { apiUrl, callApi } from './client.ts';

export type { LedgerEntry, LedgerPage };

export interface RequestQuery {
  filters: Readonly<Record<string, string | undefined>>;
  /** Unix seconds. */
  start: number;
  end: number;
  limit: number;
}

/** A page of requests and tasks, newest first. The holder of a key sees its own, and the admin key sees all. */
export function requestsQuery({ filters, start, end, limit }: RequestQuery) {
  return queryOptions({
    queryKey: ['requests', filters, start, end, limit],
    queryFn: ({ signal }) =>
      callApi<LedgerPage>('/v1/requests', {
        query: { ...filters, start_time: start, end_time: end, limit },
        signal,
      }),
  });
}

/** The entries of the list over time, in at most 120 bars. */
export function histogramQuery({ filters, start, end }: Omit<RequestQuery, 'limit'>) {
  return queryOptions({
    queryKey: ['histogram', filters, start, end],
    queryFn: ({ signal }) =>
      callApi<RequestHistogram>('/v1/requests/histogram', {
        query: { ...filters, start_time: start, end_time: end },
        signal,
      }),
  });
}

/** Returns the link that downloads the entries of the list. */
export function exportUrl({ filters, start, end }: Omit<RequestQuery, 'limit'>, format: 'csv' | 'json'): string {
  return apiUrl('/v1/requests/export', { ...filters, start_time: start, end_time: end, format }).href;
}

/** @param id id of an entry, a request, or a task */
export function requestQuery(id: string) {
  return queryOptions({
    queryKey: ['request', id],
    queryFn: ({ signal }) => callApi<LedgerEntry>(`/v1/requests/${encodeURIComponent(id)}`, { signal }),
    staleTime: Infinity,
  });
}
