import type { IssuedKey, Key, KeyPage, OwnKey } from '@sluice/api/responses';
import { queryOptions } from '@tanstack/react-query';
import { callApi } from './client.ts';
import type { KeySettings } from './key-settings.ts';

export type { IssuedKey, Key, KeySettings, OwnKey };

const PAGE_SIZE = 100;
/** More keys than this are only in the API. */
const MAX_PAGES = 20;

/** All keys with their spending. Only for the admin key. */
export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: async ({ signal }) => {
    const keys: Key[] = [];
    for (let pages = 0; pages < MAX_PAGES; pages += 1) {
      const last = keys.at(-1);
      const query = { limit: PAGE_SIZE, after: last?.id ?? last?.name };
      const page = await callApi<KeyPage>('/admin/v1/keys', { query, signal });
      keys.push(...page.data);
      if (!page.has_more) break;
    }
    return keys;
  },
});

/** @param id id or name */
export function keyQuery(id: string) {
  return queryOptions({
    queryKey: ['keys', id],
    queryFn: ({ signal }) => callApi<Key>(keyPath(id), { signal }),
  });
}

/** The key of the session. Only for the holder of a key. */
export const ownKeyQuery = queryOptions({
  queryKey: ['own-key'],
  queryFn: ({ signal }) => callApi<OwnKey>('/v1/key', { signal }),
});

/** Ids of the models that the session can call. Only for the holder of a key. */
export const ownModelsQuery = queryOptions({
  queryKey: ['own-models'],
  queryFn: async ({ signal }) => {
    const { data } = await callApi<{ data: { id: string }[] }>('/v1/models', { signal });
    return data.map(({ id }) => id);
  },
});

/** @throws ApiError */
export function createKey(body: KeySettings & { name: string }): Promise<IssuedKey> {
  return callApi('/admin/v1/keys', { method: 'POST', body });
}

/** @throws ApiError */
export function changeKey(id: string, body: KeySettings): Promise<Key> {
  return callApi(keyPath(id), { method: 'PATCH', body });
}

/** @param graceSeconds time for which earlier secrets stay valid @throws ApiError */
export function rotateKey(id: string, graceSeconds: number): Promise<IssuedKey> {
  return callApi(`${keyPath(id)}/rotate`, { method: 'POST', body: { grace_seconds: graceSeconds } });
}

/** @throws ApiError */
export function revokeKey(id: string): Promise<Key> {
  return callApi(keyPath(id), { method: 'DELETE' });
}

function keyPath(id: string): string {
  return `/admin/v1/keys/${encodeURIComponent(id)}`;
}
