import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import { Skeleton } from './notices.tsx';

export interface StatTileProps {
  label: string;
  /** Undefined while it loads. */
  value: ReactNode;
  /** A second line, e.g. a share or the unit. */
  detail?: ReactNode;
  tone?: 'normal' | 'bad';
  /** The list of what the number counts. */
  link: Pick<LinkProps, 'to' | 'search'>;
}

/** One number that opens the list behind it. */
export function StatTile({ label, value, detail, tone = 'normal', link }: StatTileProps): ReactElement {
  return (
    <Link {...link} className="panel group flex min-w-0 flex-col gap-1 p-4 hover:border-accent">
      <span className="text-xs font-medium text-muted group-hover:text-text">{label}</span>
      {value === undefined ? (
        <Skeleton className="my-1 h-6 w-20" />
      ) : (
        <span className={`text-2xl font-semibold tracking-tight tabular-nums ${tone === 'bad' ? 'text-bad' : ''}`}>
          {value}
        </span>
      )}
      <span className="min-h-4 text-xs text-muted">{detail}</span>
    </Link>
  );
}
