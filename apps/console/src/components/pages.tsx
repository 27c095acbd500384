import type { ReactElement } from 'react';

export interface PagesProps {
  isFirst: boolean;
  next: string | undefined;
  /** The buttons to the first and the next page. Default: `Newest` and `Older`. */
  titles?: { first: string; next: string };
  /** Undefined is the first page. */
  onGo: (after: string | undefined) => void;
}

const NEWEST_FIRST = { first: 'Newest', next: 'Older' };

/** Buttons of a list whose newest page is the first. */
export function Pages({ isFirst, next, titles = NEWEST_FIRST, onGo }: PagesProps): ReactElement | null {
  if (isFirst && next === undefined) return null;
  return (
    <nav aria-label="Pages" className="flex justify-end gap-2">
      {!isFirst && (
        <button type="button" className="button" onClick={() => onGo(undefined)}>
          {titles.first}
        </button>
      )}
      {next !== undefined && (
        <button type="button" className="button" onClick={() => onGo(next)}>
          {titles.next}
        </button>
      )}
    </nav>
  );
}
