import type { FallbackList, UpstreamList, UpstreamTest } from '@sluice/api/responses';
import { queryOptions } from '@tanstack/react-query';
import { callApi } from './client.ts';

export type { UpstreamTest };
export type Upstream = UpstreamList['data'][number];
export type Circuit = Upstream['circuits'][number];

/** All upstreams with their health. Only for the admin key. */
export const upstreamsQuery = queryOptions({
  queryKey: ['upstreams'],
  queryFn: ({ signal }) => callApi<UpstreamList>('/admin/v1/upstreams', { signal }),
});

/** Failed calls of all upstreams that fallbacks hid. Only for the admin key. @throws ApiError */
export function readFallbacks(
  { start, end }: { start: number; end: number },
  signal: AbortSignal,
): Promise<FallbackList> {
  return callApi('/admin/v1/upstreams/fallbacks', { query: { start_time: start, end_time: end }, signal });
}

export interface TestCall {
  upstream: string;
  model: string;
  operation?: UpstreamTest['operation'];
}

/** Makes one real call, which the vendor bills. @throws ApiError */
export function testUpstream({ upstream, ...body }: TestCall): Promise<UpstreamTest> {
  return callApi(`/admin/v1/upstreams/${encodeURIComponent(upstream)}/test`, { method: 'POST', body });
}
