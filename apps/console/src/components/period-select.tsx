import type { ReactElement } from 'react';
import { PERIODS, type PeriodName } from '../lib/periods.ts';

const TITLES: Readonly<Record<PeriodName, string>> = {
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
};

/** Selects the period of a screen. */
export function PeriodSelect({
  value,
  onChange,
}: {
  value: PeriodName;
  onChange: (period: PeriodName) => void;
}): ReactElement {
  return (
    <select
      aria-label="Period"
      className="field pr-8"
      value={value}
      // The cast is safe because the options are the periods.
      onChange={(event) => onChange(event.target.value as PeriodName)}
    >
      {PERIODS.map((period) => (
        <option key={period} value={period}>
          {TITLES[period]}
        </option>
      ))}
    </select>
  );
}
