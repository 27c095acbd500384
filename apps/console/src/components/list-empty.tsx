import type { ReactElement, ReactNode } from 'react';
import { EmptyState } from './notices.tsx';

export interface ListEmptyProps {
  noun: string;
  plural?: string;
  isFiltered: boolean;
  /** Whether a later page may have a match. */
  hasMore: boolean;
  /** Says how to get the first one. */
  children: ReactNode;
}

/** Says why a page of a list is empty, and what to do. */
export function ListEmpty({ noun, plural = `${noun}s`, isFiltered, hasMore, children }: ListEmptyProps): ReactElement {
  if (hasMore) {
    return (
      <EmptyState title={`No match among these ${plural}`}>
        <p>Press “Older” to search further back.</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={isFiltered ? `No ${noun} matches these filters` : `No ${plural} yet`}>
      <p>{isFiltered ? `Remove a filter to see more ${plural}.` : children}</p>
    </EmptyState>
  );
}
