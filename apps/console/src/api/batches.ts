import type { AdminBatchPage, Batch as OwnBatch, BatchPage } from '@sluice/api/responses';
import { queryOptions } from '@tanstack/react-query';
import { callApi } from './client.ts';

/** A batch. Only operators see its owner. */
export type Batch = OwnBatch & Partial<Pick<AdminBatchPage['data'][number], 'owner'>>;

interface Batches {
  data: Batch[];
  next?: string | undefined;
}

export interface BatchQuery {
  /** Whether to list the batches of all keys. The filters apply only then. */
  all: boolean;
  key: string | undefined;
  status: string | undefined;
  model: string | undefined;
  after: string | undefined;
  limit: number;
}

/** A page of batches, newest first. The holder of a key sees its own. */
export function batchesQuery({ all, key, status, model, after, limit }: BatchQuery) {
  return queryOptions({
    queryKey: ['batches', all, key, status, model, after, limit],
    queryFn: async ({ signal }): Promise<Batches> => {
      if (all) {
        const query = { owner: key, status, model, after, limit };
        return callApi<AdminBatchPage>('/admin/v1/batches', { query, signal });
      }
      const page = await callApi<BatchPage>('/v1/batches', { query: { after, limit }, signal });
      return { data: page.data, next: page.has_more ? (page.last_id ?? undefined) : undefined };
    },
  });
}

export function batchQuery(id: string, all: boolean) {
  return queryOptions({
    queryKey: ['batch', id],
    queryFn: ({ signal }) => callApi<Batch>(pathOf(id, all), { signal }),
  });
}

/** @throws ApiError */
export function pauseBatch(id: string, all: boolean, paused: boolean): Promise<Batch> {
  return callApi<Batch>(pathOf(id, all), { method: 'POST', body: { paused } });
}

/** @throws ApiError */
export function cancelBatch(id: string, all: boolean): Promise<Batch> {
  return callApi<Batch>(`${pathOf(id, all)}/cancel`, { method: 'POST' });
}

function pathOf(id: string, all: boolean): string {
  return `${all ? '/admin' : ''}/v1/batches/${encodeURIComponent(id)}`;
}
