import type { AdminFilePage, FilePage } from '@sluice/api/responses';
import { queryOptions } from '@tanstack/react-query';
import { apiUrl, callApi } from './client.ts';

type AdminFile = AdminFilePage['data'][number];

/** A file without its content. Only operators see its owner. */
export type ListedFile = Omit<AdminFile, 'object' | 'owner' | 'media_type'> & Partial<Pick<AdminFile, 'owner'>>;

interface ListedFiles {
  data: ListedFile[];
  next?: string | undefined;
}

export interface FileQuery {
  /** Whether to list the files of all keys. */
  all: boolean;
  key: string | undefined;
  purpose: string | undefined;
  after: string | undefined;
  limit: number;
}

/** A page of files. The holder of a key sees its own, newest first. */
export function filesQuery({ all, key, purpose, after, limit }: FileQuery) {
  return queryOptions({
    queryKey: ['files', all, key, purpose, after, limit],
    queryFn: async ({ signal }): Promise<ListedFiles> => {
      const query = { purpose, after, limit };
      if (all) return callApi<AdminFilePage>('/admin/v1/files', { query: { ...query, owner: key }, signal });
      const page = await callApi<FilePage>('/v1/files', { query, signal });
      return { data: page.data, next: page.has_more ? (page.last_id ?? undefined) : undefined };
    },
  });
}

/** Deletes a file of the holder's key. @throws ApiError */
export function deleteFile(id: string): Promise<unknown> {
  return callApi(`/v1/files/${encodeURIComponent(id)}`, { method: 'DELETE' });
}

/** The address of a file's content. The session's cookie is its credential. */
export function fileContentUrl(id: string): string {
  return apiUrl(`/v1/files/${encodeURIComponent(id)}/content`).href;
}
