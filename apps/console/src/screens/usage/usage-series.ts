import type { UsageRow } from '../../api/usage-report.ts';
import type { ChartSeries } from '../../components/time-chart.tsx';
import { type Period, timesOf } from '../../lib/periods.ts';
import { type Dimension, shownValueOf } from './usage-filters.ts';
import type { UsageMetric } from './usage-metrics.ts';

/** Groups with their own color. The others are summed up. */
export const MAX_SERIES = 7;

export interface UsageGroup {
  /** Identifies the group. */
  id: string;
  label: string;
  row: UsageRow;
  value: number;
}

/** Returns the groups of a report, the largest first. */
export function groupsOf(
  rows: readonly UsageRow[],
  dimensions: readonly Dimension[],
  { valueOf }: UsageMetric,
): UsageGroup[] {
  return rows
    .map((row) => ({ id: idOf(row, dimensions), label: labelOf(row, dimensions), row, value: valueOf(row) }))
    .toSorted((a, b) => b.value - a.value);
}

/** Returns filters that match the groups, so that a report over time has few rows. Missing values cannot be filtered. */
export function filtersFor(
  groups: readonly UsageGroup[],
  dimensions: readonly Dimension[],
): Readonly<Record<string, readonly string[]>> {
  const entries = dimensions.flatMap((dimension) => {
    const values = groups.map(({ row }) => row[dimension] ?? null);
    const present = values.filter((value) => value !== null);
    return present.length < values.length ? [] : [[dimension, [...new Set(present)]] as const];
  });
  return Object.fromEntries(entries);
}

export interface SeriesInput {
  /** The largest groups. */
  top: readonly UsageGroup[];
  /** Rows of the largest groups over time. */
  timed: readonly UsageRow[];
  /** Sums of all groups over time. */
  totals: readonly UsageRow[];
  dimensions: readonly Dimension[];
  metric: UsageMetric;
  period: Omit<Period, 'name'>;
}

/** Returns a series for each of the largest groups, and one of all others if there are any. */
export function seriesOf({ top, timed, totals, dimensions, metric, period }: SeriesInput): {
  times: number[];
  series: ChartSeries[];
} {
  const times = timesOf(period);
  const values = (rows: readonly UsageRow[]): number[] => {
    const sums = new Map<number, number>();
    for (const row of rows) {
      const at = Date.parse(row[period.unit] ?? '') / 1_000;
      sums.set(at, (sums.get(at) ?? 0) + metric.valueOf(row));
    }
    return times.map((at) => sums.get(at) ?? 0);
  };
  const byGroup = Map.groupBy(timed, (row) => idOf(row, dimensions));
  const series = top.map(({ id, label }, at) => ({
    label,
    color: `--series-${at + 1}`,
    values: values(byGroup.get(id) ?? []),
  }));
  const others = values(totals).map((total, at) =>
    Math.max(0, total - series.reduce((sum, one) => sum + (one.values[at] ?? 0), 0)),
  );
  const threshold = 1e-9;
  if (others.some((value) => value > threshold))
    series.push({ label: 'Others', color: '--series-others', values: others });
  return { times, series };
}

function idOf(row: UsageRow, dimensions: readonly Dimension[]): string {
  return JSON.stringify(dimensions.map((dimension) => row[dimension] ?? null));
}

function labelOf(row: UsageRow, dimensions: readonly Dimension[]): string {
  return dimensions.map((dimension) => shownValueOf(row, dimension) ?? 'none').join(' · ');
}
