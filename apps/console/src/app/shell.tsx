import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { type ReactElement, type RefObject, useEffect, useRef, useState } from 'react';
import { HelpDialog } from './help-dialog.tsx';
import { screensOf } from './screens.ts';
import { TopBar } from './top-bar.tsx';
import { useSession } from './use-session.ts';
import { useShortcuts } from './use-shortcuts.ts';

/** The frame around every screen: sidebar (a bar at the bottom of small windows), header, and content. */
export function Shell(): ReactElement {
  const [isHelpOpen, setHelpOpen] = useState(false);
  useShortcuts(() => setHelpOpen(true));
  useTitleAndFocus();
  return (
    <div className="flex min-h-dvh flex-col lg:flex-row">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:z-30 focus:bg-surface focus:p-2"
        onClick={skipToContent}
      >
        Skip to content
      </a>
      <Sidebar />
      <div className="flex min-w-0 flex-1 flex-col">
        <TopBar onHelp={() => setHelpOpen(true)} />
        <main
          id="content"
          tabIndex={-1}
          className="mx-auto w-full max-w-7xl flex-1 px-4 py-5 pb-20 outline-none lg:px-8 lg:pb-8"
        >
          <Outlet />
        </main>
      </div>
      <HelpDialog isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} />
    </div>
  );
}

/** A plain link to `#content` would be relative to `<base>`. */
function skipToContent(event: { preventDefault: () => void }): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('#content')?.focus();
}

function Sidebar(): ReactElement {
  const { role } = useSession();
  const ref = useActiveInView();
  return (
    <nav
      ref={ref}
      aria-label="Screens"
      className="fixed inset-x-0 bottom-0 z-20 border-t border-line bg-surface lg:sticky lg:top-0 lg:h-dvh lg:w-56 lg:border-t-0 lg:border-r"
    >
      <Link to="/" className="hidden items-center gap-2.5 px-5 py-4 text-base font-semibold tracking-tight lg:flex">
        <img src="./icon.svg" alt="" className="size-6" />
        Sluice
      </Link>
      <ul className="flex overflow-x-auto lg:flex-col lg:gap-0.5 lg:px-3">
        {screensOf(role).map(({ title, path, icon: Icon, key }) => (
          <li key={path} className="flex-1 lg:flex-none">
            <Link
              to={path}
              activeOptions={{ exact: path === '/', includeSearch: false }}
              aria-keyshortcuts={`g ${key}`}
              className="flex flex-col items-center gap-1 px-3 py-2 text-xs whitespace-nowrap text-muted hover:text-text aria-[current=page]:font-semibold aria-[current=page]:text-accent lg:flex-row lg:gap-2.5 lg:rounded-md lg:text-sm lg:hover:bg-raised lg:aria-[current=page]:bg-raised lg:aria-[current=page]:text-text"
            >
              <Icon aria-hidden className="size-4.5" />
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Scrolls the bar of small windows to the screen that is open. */
function useActiveInView(): RefObject<HTMLElement | null> {
  const ref = useRef<HTMLElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(() => {
    // The links know the new address after this render.
    const frame = requestAnimationFrame(() => {
      ref.current?.querySelector('ul [aria-current=page]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    });
    return () => cancelAnimationFrame(frame);
  }, [path]);
  return ref;
}

/** Names the tab, and moves the focus to the content when the screen changes. */
function useTitleAndFocus(): void {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const { role } = useSession();
  const isFirst = useRef(true);
  useEffect(() => {
    const screen = screensOf(role).findLast((one) => path === one.path || path.startsWith(`${one.path}/`));
    document.title = screen && (path === screen.path || screen.path !== '/') ? `${screen.title} – Sluice` : 'Sluice';
    if (!isFirst.current) document.querySelector<HTMLElement>('#content')?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [path, role]);
}
