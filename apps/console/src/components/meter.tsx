import type { ReactElement } from 'react';

export interface MeterProps {
  /** Describes the meter to screen readers. */
  label: string;
  value: number;
  max: number;
  /** A second part after the value, e.g. of reservations. */
  extra?: number;
  /** Whether a full bar is no warning. */
  isNeutral?: boolean;
}

const WARN_FROM = 0.8;

/** A bar that shows how much of a maximum is used. */
export function Meter({ label, value, max, extra = 0, isNeutral = false }: MeterProps): ReactElement {
  const share = (part: number): number => (max > 0 ? Math.min(100, Math.max(0, (part / max) * 100)) : 0);
  const used = share(value + extra) / 100;
  const color = isNeutral || used < WARN_FROM ? 'fill-accent' : used >= 1 ? 'fill-bad' : 'fill-warn';
  return (
    <svg role="img" aria-label={label} className="h-1.5 w-full min-w-8" preserveAspectRatio="none" viewBox="0 0 100 6">
      <rect width="100" height="6" className="fill-line" />
      <rect width={share(value + extra)} height="6" className={`${color} opacity-50`} />
      <rect width={share(value)} height="6" className={color} />
    </svg>
  );
}
