import type { Upstream } from '../../api/upstreams.ts';
import type { FilterField } from '../../components/filter-bar.tsx';
import { PERIOD_PARAMS } from '../../lib/periods.ts';
import { HEALTHS, healthOf } from './upstream-health.ts';

/** Parameters of the list in the URL. */
export const UPSTREAM_PARAMS = [...PERIOD_PARAMS, 'name', 'kind', 'health'] as const;

export type UpstreamSearch = { [name in (typeof UPSTREAM_PARAMS)[number]]?: string };

export function upstreamFields(upstreams: readonly Upstream[]): readonly FilterField[] {
  return [
    { name: 'name', label: 'Name', placeholder: 'Part of a name' },
    { name: 'kind', label: 'Kind', options: [...new Set(upstreams.map(({ kind }) => kind))].toSorted() },
    { name: 'health', label: 'Health', options: HEALTHS },
  ];
}

export function matchingUpstreams(
  upstreams: readonly Upstream[],
  { name = '', kind, health }: UpstreamSearch,
): Upstream[] {
  return upstreams.filter(
    (upstream) =>
      upstream.name.toLowerCase().includes(name.toLowerCase()) &&
      (kind === undefined || upstream.kind === kind) &&
      (health === undefined || healthOf(upstream).health === health),
  );
}
