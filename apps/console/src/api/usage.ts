import type { Latency, Overview, UsageList } from '@sluice/api/responses';
import { queryOptions } from '@tanstack/react-query';
import type { Period } from '../lib/periods.ts';
import { callApi } from './client.ts';

/** Sums of a period, by hour or day. */
export function usageQuery({ start, end, unit }: Period) {
  return queryOptions({
    queryKey: ['usage', start, end, unit],
    queryFn: ({ signal }) =>
      callApi<UsageList>('/v1/usage', {
        query: {
          metric: 'requests,tasks,errors,tokens,cost,unpriced',
          group_by: unit,
          start_time: start,
          end_time: end,
        },
        signal,
      }),
  });
}

/** Percentiles of the newest requests of a period. */
export function latencyQuery({ start, end }: Period, filters: { upstream?: string } = {}) {
  return queryOptions({
    queryKey: ['latency', start, end, filters],
    queryFn: ({ signal }) =>
      callApi<Latency>('/v1/usage/latency', { query: { ...filters, start_time: start, end_time: end }, signal }),
  });
}

/** Tasks by state, and upstreams. Only for the admin key. */
export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: ({ signal }) => callApi<Overview>('/admin/v1/overview', { signal }),
});
