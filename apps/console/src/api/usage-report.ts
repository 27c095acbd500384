import type { UsageList } from '@sluice/api/responses';
import { queryOptions } from '@tanstack/react-query';
import { apiUrl, callApi } from './client.ts';

export type UsageRow = UsageList['data'][number];

export interface UsageReportQuery {
  metric: string;
  groupBy: readonly string[];
  /** A filter can have several values. */
  filters: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Unix seconds. */
  start: number;
  end: number;
}

/** The API's maximum. */
const MAX_ROWS = 10_000;

/** Sums of each group. The holder of a key sees its own, and the admin key sees all. */
export function usageReportQuery(report: UsageReportQuery) {
  return queryOptions({
    queryKey: ['usage-report', report],
    queryFn: ({ signal }) => readUsageReport(report, signal),
  });
}

/** @throws ApiError */
export function readUsageReport(report: UsageReportQuery, signal: AbortSignal): Promise<UsageList> {
  return callApi<UsageList>(reportPath(report), { signal });
}

/** Returns the link that downloads a report as CSV. */
export function usageCsvUrl(report: UsageReportQuery): string {
  return apiUrl(`${reportPath(report)}&format=csv`).href;
}

function reportPath({ metric, groupBy, filters, start, end }: UsageReportQuery): string {
  const params = new URLSearchParams({
    metric,
    start_time: String(start),
    end_time: String(end),
    limit: String(MAX_ROWS),
  });
  if (groupBy.length > 0) params.set('group_by', groupBy.join(','));
  for (const [name, values = []] of Object.entries(filters)) {
    for (const value of [values].flat()) if (value !== '') params.append(name, value);
  }
  return `/v1/usage?${params.toString()}`;
}
