import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { screensOf } from './screens.ts';
import { useSession } from './use-session.ts';

/** Milliseconds in which the second key of a sequence must follow. */
const SEQUENCE_MS = 1_000;

/** `/` focuses the search, `?` opens the help, and `g` with a letter opens a screen. */
export function useShortcuts(openHelp: () => void): void {
  const router = useRouter();
  const { role } = useSession();
  const startedAt = useRef(-Infinity);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const screen =
        event.timeStamp - startedAt.current < SEQUENCE_MS
          ? screensOf(role).find(({ key }) => key === event.key)
          : undefined;
      startedAt.current = event.key === 'g' ? event.timeStamp : -Infinity;
      if (screen) void router.navigate({ to: screen.path });
      else if (event.key === '?') openHelp();
      else if (event.key === '/') document.querySelector<HTMLElement>('[data-search]')?.focus();
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [router, role, openHelp]);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable], dialog') !== null;
}
