import { useEffect, useState } from 'react';
import type { LedgerEntry, LedgerPage } from '../../api/requests.ts';

export interface Tail {
  /** Undefined while the first page loads. */
  page: LedgerPage | undefined;
  /** Number of new entries that are not shown. */
  waiting: number;
  /** Shows the new entries. */
  show: () => void;
  /** Whether an entry has arrived since the list was opened. */
  isNew: (entry: LedgerEntry) => boolean;
}

interface Kept {
  list: string;
  page: LedgerPage;
}

/** Readers who have scrolled this far are below the first entries. */
const READING_PX = 160;

/**
 * Shows the newest page, but keeps the shown one while it is paused or while the user reads further down, so that its
 * rows do not move.
 * @param list identifies the list, e.g. by its filters
 * @param latest undefined while the page of this list loads
 */
export function useTail(list: string, latest: LedgerPage | undefined, isPaused: boolean): Tail {
  const isReading = useIsReading();
  const [first, setFirst] = useState<Kept>();
  const [kept, setKept] = useState<Kept>();
  const isHeld = isPaused || isReading;
  if (latest && first?.list !== list) setFirst({ list, page: latest });
  if (latest && isHeld && kept?.list !== list) setKept({ list, page: latest });
  if (!isHeld && kept) setKept(undefined);

  const page = kept?.list === list ? kept.page : latest;
  const shown = new Set(page?.data.map(({ id }) => id));
  const known = new Set(first?.page.data.map(({ id }) => id));
  return {
    page,
    waiting: latest?.data.filter(({ id }) => !shown.has(id)).length ?? 0,
    show: () => {
      if (latest) setKept({ list, page: latest });
      window.scrollTo({ top: 0 });
    },
    isNew: ({ id }) => first?.list === list && !known.has(id),
  };
}

function useIsReading(): boolean {
  const [isReading, setReading] = useState(false);
  useEffect(() => {
    const check = (): void => setReading(window.scrollY > READING_PX);
    check();
    window.addEventListener('scroll', check, { passive: true });
    return () => window.removeEventListener('scroll', check);
  }, []);
  return isReading;
}
