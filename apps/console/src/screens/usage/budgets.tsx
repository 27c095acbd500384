import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { type Key, keysQuery, ownKeyQuery, type OwnKey } from '../../api/keys.ts';
import { type UsageRow, usageReportQuery } from '../../api/usage-report.ts';
import { isOperator, useSession } from '../../app/use-session.ts';
import { Badge } from '../../components/badge.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Meter } from '../../components/meter.tsx';
import { ErrorNotice } from '../../components/notices.tsx';
import { Section } from '../../components/page-head.tsx';
import { formatCost, formatCount, formatKnownCost, formatLongDate } from '../../lib/format.ts';
import { useNow } from '../../lib/use-now.ts';
import { type Forecast, forecastOf, monthOf, paceOf } from './forecast.ts';

const REFRESH_MS = 60_000;
const HOUR_S = 3_600;

type Budgeted = Required<Pick<Key | OwnKey, 'budget' | 'spending'>> & { name: string };

interface BudgetRow extends Budgeted {
  forecast: Forecast;
}

/** The cost of this month, and what is left of budgets, with a forecast to the end of the period. */
export function Budgets(): ReactElement {
  const seesAllKeys = isOperator(useSession());
  // Full hours, so that the report needs only hourly sums.
  const now = Math.ceil(useNow(REFRESH_MS) / 1_000 / HOUR_S) * HOUR_S;
  const keys = useQuery({ ...keysQuery, enabled: seesAllKeys });
  const own = useQuery({ ...ownKeyQuery, enabled: !seesAllKeys });
  const month = useCost(monthOf(now - 1).start, now);
  const week = useCost(now - paceOf('month'), now);
  const day = useCost(now - paceOf('day'), now);
  const shown = seesAllKeys ? keys.data : own.data && [own.data];
  const isLoading = !shown || !week.data || !day.data;
  const rows = isLoading
    ? undefined
    : shown.flatMap(budgetOf).map((key) => withForecast(key, { now, week: week.data, day: day.data }));
  const error = keys.error ?? own.error ?? month.error ?? week.error ?? day.error;
  return (
    <Section
      title="Budgets and forecast"
      aside="Continues the pace of the last 7 days, and of the last day for daily budgets"
    >
      {error && <ErrorNotice error={error} />}
      {month.data && week.data && <Month rows={month.data} recent={sum(week.data)} now={now} />}
      {rows?.length === 0 ? (
        <p className="border-t border-line p-4 text-muted">
          {seesAllKeys ? (
            <>
              No key has a budget. Set one in{' '}
              <Link to="/keys" className="text-accent underline">
                Keys
              </Link>
              .
            </>
          ) : (
            'This key has no budget, so its cost is not limited.'
          )}
        </p>
      ) : (
        !error && <DataTable caption="Budgets" columns={columnsOf(seesAllKeys)} rows={rows} idOf={({ name }) => name} />
      )}
    </Section>
  );
}

function useCost(start: number, end: number) {
  const query = usageReportQuery({ metric: 'cost,unpriced', groupBy: ['key'], filters: {}, start, end });
  return useQuery({ ...query, select: ({ data }) => data });
}

function sum(rows: readonly UsageRow[]): number {
  return rows.reduce((total, { cost_usd: usd = 0 }) => total + usd, 0);
}

function budgetOf(key: Key | OwnKey): Budgeted[] {
  const { name, budget, spending, status } = key;
  return budget && spending && status === 'active' ? [{ name, budget, spending }] : [];
}

function withForecast(
  key: Budgeted,
  { now, week, day }: { now: number; week: readonly UsageRow[]; day: readonly UsageRow[] },
): BudgetRow {
  const { budget, spending, name } = key;
  const recent = (budget.period === 'day' ? day : week).find((row) => row.key === name)?.cost_usd ?? 0;
  const forecast = forecastOf({
    spent: spending.spent_usd,
    recent,
    paceSeconds: paceOf(budget.period),
    now,
    end: spending.resets_at,
    budget: budget.usd,
  });
  return { ...key, forecast };
}

function Month({ rows, recent, now }: { rows: readonly UsageRow[]; recent: number; now: number }): ReactElement {
  const spent = sum(rows);
  const unpriced = rows.reduce((total, { unpriced: count = 0 }) => total + count, 0);
  const { end } = monthOf(now - 1);
  const { total = 0 } = forecastOf({ spent, recent, paceSeconds: paceOf('month'), now, end });
  return (
    <dl className="grid grid-cols-2 gap-4 p-4 sm:flex sm:gap-12">
      <div>
        <dt className="text-xs text-muted">Cost this month (UTC)</dt>
        <dd className="text-2xl font-semibold tracking-tight tabular-nums">
          {formatKnownCost(spent, spent === 0 && unpriced)}
        </dd>
        {unpriced > 0 && <dd className="text-xs text-muted">{formatCount(unpriced)} without a price</dd>}
      </div>
      <div>
        <dt className="text-xs text-muted">Forecast to {formatLongDate((end - 1) * 1_000)}</dt>
        <dd className="text-2xl font-semibold tracking-tight tabular-nums">
          {formatKnownCost(total, total === 0 && unpriced)}
        </dd>
      </div>
    </dl>
  );
}

function columnsOf(seesAllKeys: boolean): readonly Column<BudgetRow>[] {
  return [
    {
      title: 'Key',
      cell: ({ name }) =>
        seesAllKeys ? (
          <Link to="/keys/$id" params={{ id: name }} className="text-accent hover:underline">
            {name}
          </Link>
        ) : (
          name
        ),
    },
    {
      title: 'Spent',
      isFlexible: true,
      cell: ({ spending, budget }) => (
        <span className="flex flex-col sm:min-w-36 gap-1">
          <span>
            {formatCost(spending.spent_usd)} <span className="text-muted">of {formatCost(budget.usd)}</span>
          </span>
          <Meter
            label={`${formatCost(spending.spent_usd)} of ${formatCost(budget.usd)} spent`}
            value={spending.spent_usd}
            extra={spending.reserved_usd}
            max={budget.usd}
          />
        </span>
      ),
    },
    { title: 'Left', cell: ({ spending }) => formatCost(spending.remaining_usd), align: 'end', isMinor: true },
    {
      title: 'Forecast',
      cell: ({ forecast: { total } }) => (total === undefined ? '–' : formatCost(total)),
      detail: ({ forecast: { usedUpAt } }) => usedUpAt !== undefined && <UsedUp at={usedUpAt} />,
      align: 'end',
    },
    { title: 'Used up', cell: ({ forecast: { usedUpAt } }) => <UsedUp at={usedUpAt} />, isMinor: true },
    {
      title: 'Resets',
      cell: ({ spending: { resets_at: at } }) => (at === undefined ? 'never' : formatLongDate(at * 1_000)),
      isMinor: true,
    },
  ];
}

function UsedUp({ at }: { at: number | undefined }): ReactElement {
  if (at === undefined) return <Badge tone="ok">Not in this period</Badge>;
  return (
    <Badge tone={at * 1_000 <= Date.now() ? 'bad' : 'warn'}>
      {at * 1_000 <= Date.now() ? 'Now' : formatLongDate(at * 1_000)}
    </Badge>
  );
}
