import type { ReactElement } from 'react';

export interface PagesProps {
  isFirst: boolean;
  next: string | undefined;
  /** Undefined is the first page. */
  onGo: (after: string | undefined) => void;
}

/** Buttons of a list whose newest page is the first. */
export function Pages({ isFirst, next, onGo }: PagesProps): ReactElement | null {
  if (isFirst && next === undefined) return null;
  return (
    <nav aria-label="Pages" className="flex justify-end gap-2">
      {!isFirst && (
        <button type="button" className="button" onClick={() => onGo(undefined)}>
          Newest
        </button>
      )}
      {next !== undefined && (
        <button type="button" className="button" onClick={() => onGo(next)}>
          Older
        </button>
      )}
    </nav>
  );
}
