import type { ReactElement, ReactNode } from 'react';
import { isOperator, useSession } from '../app/use-session.ts';
import { EmptyState } from './notices.tsx';
import { PageHead } from './page-head.tsx';

/**
 * Shows a screen of the admin API only to roles that can read it. The address is open to everyone.
 * @param title of the screen, unless it is outside
 */
export function OperatorsOnly({ title, children }: { title?: string; children: ReactNode }): ReactElement {
  if (isOperator(useSession())) return <>{children}</>;
  return (
    <>
      {title !== undefined && <PageHead title={title} />}
      <EmptyState title="This screen is for operators">
        <p>An API key sees only its own requests, tasks, and usage. Sign in as an operator to see those of all keys.</p>
      </EmptyState>
    </>
  );
}
