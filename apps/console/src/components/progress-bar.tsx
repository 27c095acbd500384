import type { ReactElement } from 'react';
import { formatCount } from '../lib/format.ts';

export interface ProgressBarProps {
  /** Describes the bar to screen readers. */
  label: string;
  done: number;
  failed: number;
  total: number;
}

/** A bar of what has succeeded and failed. */
export function ProgressBar({ label, done, failed, total }: ProgressBarProps): ReactElement {
  const share = (part: number): number => (total > 0 ? Math.min(100, (part / total) * 100) : 0);
  return (
    <svg role="img" aria-label={label} className="h-1.5 w-full min-w-8" preserveAspectRatio="none" viewBox="0 0 100 6">
      <rect width="100" height="6" className="fill-line" />
      <rect width={share(done + failed)} height="6" className="fill-bad" />
      <rect width={share(done)} height="6" className="fill-ok" />
    </svg>
  );
}

export interface EndedProgressProps {
  /** What is counted, e.g. `videos`. */
  plural: string;
  completed: number;
  failed: number;
  /** Those that have ended in another way. */
  cancelled?: number;
  total: number;
}

/** How many parts of a job have ended, and how many of them failed. */
export function EndedProgress({ plural, completed, failed, cancelled = 0, total }: EndedProgressProps): ReactElement {
  const text = `${formatCount(completed + failed + cancelled)} of ${formatCount(total)}`;
  return (
    <span className="flex min-w-28 flex-col gap-1">
      <span>
        {text}
        {failed > 0 && <span className="text-bad">, {formatCount(failed)} failed</span>}
      </span>
      <ProgressBar label={`${text} ${plural} have ended`} done={completed} failed={failed} total={total} />
    </span>
  );
}
