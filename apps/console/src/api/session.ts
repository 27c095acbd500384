import { queryOptions } from '@tanstack/react-query';
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

/** @throws ApiError */
export async function signIn(key: string): Promise<Session> {
  return keepToken(await callApi<Session>('/console/api/session', { method: 'POST', body: { key } }));
}

/** @throws ApiError */
export async function signOut(): Promise<void> {
  await callApi('/console/api/session', { method: 'DELETE' });
  setCsrfToken(undefined);
}

function keepToken(session: Session): Session {
  setCsrfToken(session.csrf_token);
  return session;
}
