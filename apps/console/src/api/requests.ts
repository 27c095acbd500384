import type { LedgerEntry, LedgerPage } from '@sluice/api/responses';
import { queryOptions } from '@tanstack/react-query';
import { callApi } from './client.ts';

export type { LedgerEntry };

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

/** @param id id of an entry, a request, or a task */
export function requestQuery(id: string) {
  return queryOptions({
    queryKey: ['request', id],
    queryFn: ({ signal }) => callApi<LedgerEntry>(`/v1/requests/${encodeURIComponent(id)}`, { signal }),
    staleTime: Infinity,
  });
}
