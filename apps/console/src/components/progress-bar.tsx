import type { ReactElement } from 'react';

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
