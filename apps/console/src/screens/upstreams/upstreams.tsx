import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { upstreamsQuery } from '../../api/upstreams.ts';
import { useSession } from '../../app/use-session.ts';
import { DataTable } from '../../components/data-table.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { ErrorNotice } from '../../components/notices.tsx';
import { OperatorsOnly } from '../../components/operators-only.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { DisabledList, NoneConfigured } from '../../components/unconfigured.tsx';
import { PeriodSelect } from '../../components/period-select.tsx';
import { periodOf } from '../../lib/periods.ts';
import type { Filters } from '../../lib/url-search.ts';
import { useNow } from '../../lib/use-now.ts';
import { upstreamColumns } from './upstream-columns.tsx';
import { matchingUpstreams, upstreamFields, type UpstreamSearch } from './upstream-filters.ts';
import { trafficOf, trafficQuery } from './upstream-traffic.ts';

const HEALTH_REFRESH_MS = 5_000;
const TRAFFIC_REFRESH_MS = 15_000;
const route = getRouteApi('/upstreams');

/** All upstreams with their health and traffic. Each opens its page. */
export function Upstreams(): ReactElement {
  return (
    <OperatorsOnly title="Upstreams">
      <UpstreamList />
    </OperatorsOnly>
  );
}

function UpstreamList(): ReactElement {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { features } = useSession();
  const period = periodOf(search.period, useNow(TRAFFIC_REFRESH_MS));
  const { data, error, refetch } = useQuery({ ...upstreamsQuery, refetchInterval: HEALTH_REFRESH_MS });
  const traffic = useQuery({
    ...trafficQuery(period),
    refetchInterval: TRAFFIC_REFRESH_MS,
    placeholderData: keepPreviousData,
    enabled: features.ledger,
  });
  // The cast is safe because the fields of the filter bar are parameters of this screen.
  const set = (next: Filters, replace = false): void => void navigate({ search: next as UpstreamSearch, replace });
  const rows =
    data &&
    matchingUpstreams(data.data, search).map((upstream) => ({
      upstream,
      traffic: traffic.data && trafficOf(traffic.data.data, upstream.name, period),
    }));
  return (
    <>
      <PageHead title="Upstreams">
        {features.ledger && <PeriodSelect value={period.name} onChange={(name) => set({ ...search, period: name })} />}
      </PageHead>
      <div className="flex flex-col gap-4">
        <FilterBar
          fields={upstreamFields(data?.data ?? [])}
          filters={search}
          onChange={(filters, { replace }) => set(filters, replace)}
        />
        {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
        {traffic.error && <ErrorNotice error={traffic.error} onRetry={() => void traffic.refetch()} />}
        {!(error && !data) && (
          <div className="panel overflow-hidden">
            {rows?.length === 0 ? (
              <NoneConfigured noun="upstream" isFiltered={data?.data.length !== 0} />
            ) : (
              <DataTable
                caption="Upstreams"
                columns={upstreamColumns(period.name, features.ledger)}
                rows={rows}
                idOf={({ upstream }) => upstream.name}
              />
            )}
          </div>
        )}
        {data && data.disabled.length > 0 && (
          <DisabledList
            title="Disabled upstreams"
            aside="Their environment variable is not set"
            items={data.disabled.map(({ name, variable }) => ({ name, variables: [variable] }))}
          />
        )}
      </div>
    </>
  );
}
