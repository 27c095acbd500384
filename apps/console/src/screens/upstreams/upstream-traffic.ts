import { queryOptions } from '@tanstack/react-query';
import { readFallbacks } from '../../api/upstreams.ts';
import { readUsageReport, type UsageReportQuery, type UsageRow } from '../../api/usage-report.ts';
import { type Period, timesOf } from '../../lib/periods.ts';
import { withFallbacks } from './with-fallbacks.ts';

/** The requests and ended tasks of an upstream in a period. */
export interface Traffic {
  calls: number;
  errors: number;
  /** Undefined without calls. */
  meanMs: number | undefined;
  overTime: {
    times: number[];
    calls: number[];
    errors: number[];
    /** Null in hours or days without calls. */
    meanMs: (number | null)[];
  };
}

/** Sums of upstreams over time, with the failed calls that fallbacks hid. @param upstream undefined for all */
export function trafficQuery(period: Period, upstream?: string) {
  const { start, end, unit } = period;
  const report: UsageReportQuery = {
    metric: 'requests,tasks,errors,duration',
    groupBy: ['upstream', unit],
    filters: { upstream },
    start,
    end,
  };
  return queryOptions({
    queryKey: ['upstream-traffic', report],
    queryFn: async ({ signal }) => {
      const [usage, fallbacks] = await Promise.all([readUsageReport(report, signal), readFallbacks(period, signal)]);
      return { data: withFallbacks(usage.data, fallbacks.data, unit) };
    },
  });
}

/** @param rows rows of `upstream`, by hour or day */
export function trafficOf(rows: readonly UsageRow[], upstream: string, period: Period): Traffic {
  const own = rows.filter((row) => row.upstream === upstream);
  const byTime = new Map(own.map((row) => [Date.parse(row[period.unit] ?? '') / 1_000, row]));
  const times = timesOf(period);
  const at = times.map((time) => byTime.get(time) ?? {});
  return {
    calls: sum(own.map(callsOf)),
    errors: sum(own.map(({ errors = 0 }) => errors)),
    meanMs: meanOf(own),
    overTime: {
      times,
      calls: at.map(callsOf),
      errors: at.map(({ errors = 0 }) => errors),
      meanMs: at.map((row) => meanOf([row]) ?? null),
    },
  };
}

function callsOf({ requests = 0, tasks = 0 }: UsageRow): number {
  return requests + tasks;
}

function meanOf(rows: readonly UsageRow[]): number | undefined {
  const calls = sum(rows.map(callsOf));
  return calls === 0 ? undefined : sum(rows.map(({ duration_ms: ms = 0 }) => ms)) / calls;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
