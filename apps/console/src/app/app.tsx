import { useQuery } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, type ReactElement, Suspense } from 'react';
import { sessionQuery } from '../api/session.ts';
import { ErrorNotice } from '../components/notices.tsx';
import { LiveData } from './live-data.tsx';
import { router } from './router.tsx';
import { SessionContext } from './use-session.ts';

const SignIn = lazy(() => import('../screens/sign-in/sign-in.tsx'));

/** The sign-in form, or the console if there is a session. */
export function App(): ReactElement {
  const { data: session, error, refetch } = useQuery(sessionQuery);
  if (error && session === undefined) {
    return (
      <main className="mx-auto max-w-md p-6">
        <ErrorNotice error={error} onRetry={() => void refetch()} />
      </main>
    );
  }
  if (session === undefined) return <div aria-busy="true" />;
  if (session === null) {
    return (
      <Suspense>
        <SignIn />
      </Suspense>
    );
  }
  return (
    <SessionContext value={session}>
      <LiveData>
        <RouterProvider router={router} />
      </LiveData>
    </SessionContext>
  );
}
