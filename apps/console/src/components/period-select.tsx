import type { ReactElement } from 'react';
import { PERIODS, type PeriodName } from '../lib/periods.ts';

const TITLES: Readonly<Record<PeriodName, string>> = {
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
};

const CUSTOM = 'custom';

/** Selects the period of a screen. */
export function PeriodSelect({
  value,
  isCustom = false,
  onChange,
  onCustom,
}: {
  value: PeriodName;
  /** Whether a period is selected that is not in the list. */
  isCustom?: boolean;
  onChange: (period: PeriodName) => void;
  /** Set if the user can also select the start and the end. */
  onCustom?: () => void;
}): ReactElement {
  return (
    <select
      aria-label="Period"
      className="field pr-8"
      value={isCustom ? CUSTOM : value}
      onChange={({ target: { value: next } }) => {
        if (next === CUSTOM) onCustom?.();
        // The cast is safe because the other options are the periods.
        else onChange(next as PeriodName);
      }}
    >
      {(isCustom || onCustom) && <option value={CUSTOM}>Selected period</option>}
      {PERIODS.map((period) => (
        <option key={period} value={period}>
          {TITLES[period]}
        </option>
      ))}
    </select>
  );
}
