import type { AuditPage } from '@sluice/api/responses';
import { queryOptions } from '@tanstack/react-query';
import { callApi } from './client.ts';

export type AuditEntry = AuditPage['data'][number];

export interface AuditQuery {
  filters: Readonly<Record<string, string | undefined>>;
  /** Unix seconds. */
  start: number;
  end: number;
  limit: number;
}

/** A page of the changes that people and keys made, newest first. */
export function auditQuery({ filters, start, end, limit }: AuditQuery) {
  return queryOptions({
    queryKey: ['audit', filters, start, end, limit],
    queryFn: ({ signal }) =>
      callApi<AuditPage>('/admin/v1/audit', { query: { ...filters, start_time: start, end_time: end, limit }, signal }),
  });
}
