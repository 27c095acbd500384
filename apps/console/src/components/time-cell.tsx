import type { ReactElement } from 'react';
import { formatClock, formatDate, formatTime } from '../lib/format.ts';

/** A time in a table. It has two lines in small windows. @param at Unix milliseconds */
export function TimeCell({ at }: { at: number }): ReactElement {
  return (
    <time dateTime={new Date(at).toISOString()}>
      <span className="max-sm:hidden">{formatTime(at)}</span>
      <span className="sm:hidden">
        {formatClock(at)}
        <span className="block text-xs text-muted">{formatDate(at)}</span>
      </span>
    </time>
  );
}
