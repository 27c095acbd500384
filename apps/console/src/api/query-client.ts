import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './client.ts';
import { sessionQuery } from './session.ts';

const MAX_RETRIES = 2;

/** Errors of the client's own request do not heal, so only others are retried. */
function isWorthRetrying(failures: number, error: Error): boolean {
  const isFinal = error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
  return !isFinal && failures < MAX_RETRIES;
}

/** If the session has ended, the page shows the sign-in form. */
export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        if (error instanceof ApiError && error.status === 401) client.setQueryData(sessionQuery.queryKey, null);
      },
    }),
    defaultOptions: { queries: { retry: isWorthRetrying, staleTime: 5_000 } },
  });
  return client;
}
