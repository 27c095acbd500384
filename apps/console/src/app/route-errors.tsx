import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { EmptyState, ErrorNotice } from '../components/notices.tsx';
import { PageHead } from '../components/page-head.tsx';

/** Shown in place of a screen that failed. The rest of the console keeps working. */
export function LoadError({ error, reset }: ErrorComponentProps): ReactElement {
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <>
      <PageHead title="This screen failed" />
      <ErrorNotice error={error instanceof Error ? error : new Error(String(error))} onRetry={retry} />
    </>
  );
}

export function NotFound(): ReactElement {
  return (
    <>
      <PageHead title="Not found" />
      <EmptyState title="This page does not exist">
        <p>
          Check the address, or go to the{' '}
          <Link to="/" className="text-accent underline">
            overview
          </Link>
          .
        </p>
      </EmptyState>
    </>
  );
}
