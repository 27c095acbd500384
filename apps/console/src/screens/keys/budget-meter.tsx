import type { ReactElement } from 'react';
import type { Key } from '../../api/keys.ts';
import { Meter } from '../../components/meter.tsx';
import { formatCost } from '../../lib/format.ts';

const PERIODS = { day: 'a day', month: 'a month', total: 'in total' } as const;

/** The spending and the rest of a budget. */
export function BudgetMeter({ budget, spending }: Pick<Key, 'budget' | 'spending'>): ReactElement | null {
  if (!budget) return null;
  const { spent_usd: spent = 0, reserved_usd: reserved = 0, remaining_usd: remaining = budget.usd } = spending ?? {};
  const amount = `${formatCost(budget.usd)} ${PERIODS[budget.period]}`;
  return (
    <span className="flex max-w-64 flex-col sm:min-w-40 gap-1">
      <span>{amount}</span>
      <Meter label={`${formatCost(spent)} of ${amount} spent`} value={spent} extra={reserved} max={budget.usd} />
      <span className="text-xs text-muted tabular-nums">
        {formatCost(remaining)} left{reserved > 0 && `, ${formatCost(reserved)} reserved`}
      </span>
    </span>
  );
}
