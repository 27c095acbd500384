import type { ReactElement, ReactNode } from 'react';

/** The title of a screen, with its controls. */
export function PageHead({ title, children }: { title: ReactNode; children?: ReactNode }): ReactElement {
  return (
    <div className="mb-5 flex flex-wrap items-center justify-between gap-3">
      <h1 className="min-w-0 text-xl font-semibold tracking-tight">{title}</h1>
      <div className="flex max-w-full min-w-0 flex-wrap items-center gap-2 max-sm:[&>select]:grow">{children}</div>
    </div>
  );
}

/** The title of a page whose object is not loaded, so that every page has one. */
export function PlainHead({ title }: { title: string }): ReactElement {
  return <PageHead title={<span className="break-all">{title}</span>} />;
}

/** A titled part of a screen. */
export function Section({
  title,
  aside,
  children,
}: {
  title: string;
  aside?: ReactNode;
  children: ReactNode;
}): ReactElement {
  return (
    <section aria-label={title} className="panel min-w-0">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line px-4 py-2.5">
        <h2 className="font-semibold">{title}</h2>
        {aside !== undefined && <div className="text-xs text-muted">{aside}</div>}
      </div>
      {children}
    </section>
  );
}
