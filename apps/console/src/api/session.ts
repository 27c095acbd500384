import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { ApiError, callApi, setCsrfToken } from './client.ts';

export type Role = 'admin' | 'operator' | 'viewer' | 'holder';

export interface Session {
  id: string;
  role: Role;
  /** Name of the API key; `admin` for the admin key. */
  name: string;
  expires_at: number;
  csrf_token: string;
  features: { ledger: boolean; admin: boolean };
  version: string;
  /** The URL of a trace, with `{trace_id}`. Only for operators. */
  trace_url?: string;
}

/** The session of this browser. Null before the sign-in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }): Promise<Session | null> => {
    try {
      return keepToken(await callApi<Session>('/console/api/session', { signal }));
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  },
  staleTime: Infinity,
});

/** Ways to sign in besides a key. */
export const signInQuery = queryOptions({
  queryKey: ['sign-in'],
  queryFn: ({ signal }) => callApi<{ oidc: { name: string } | null }>('/console/api/sign-in', { signal }),
  staleTime: Infinity,
});

/** @throws ApiError */
export async function signIn(key: string): Promise<Session> {
  return keepToken(await callApi<Session>('/console/api/session', { method: 'POST', body: { key } }));
}

/** @throws ApiError */
export async function signOut(): Promise<void> {
  await callApi('/console/api/session', { method: 'DELETE' });
  setCsrfToken(undefined);
}

/** A session in the list of sessions. */
export interface ListedSession {
  id: string;
  role: Role;
  name: string;
  /** Unix seconds. */
  created_at: number;
  expires_at: number;
  user_agent: string;
  is_current: boolean;
}

/** The sessions that the user may end, newest first. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => callApi<{ data: ListedSession[] }>('/console/api/sessions', { signal }),
});

/** @throws ApiError */
export async function endSession(id: string): Promise<void> {
  await callApi(`/console/api/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' });
}

/** Shows the console of a session, or the sign-in form. No data of the session before stays in memory. */
export function showSession(client: QueryClient, session: Session | null): void {
  client.setQueryData(sessionQuery.queryKey, session);
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
}

function keepToken(session: Session): Session {
  setCsrfToken(session.csrf_token);
  return session;
}
