import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { requestsQuery } from '../../api/requests.ts';
import { isOperator, useSession } from '../../app/use-session.ts';
import { DataTable } from '../../components/data-table.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { EmptyState, ErrorNotice } from '../../components/notices.tsx';
import { Pages } from '../../components/pages.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { PeriodSelect } from '../../components/period-select.tsx';
import { periodOf } from '../../lib/periods.ts';
import type { Filters } from '../../lib/url-search.ts';
import { useNow } from '../../lib/use-now.ts';
import { requestColumns } from './request-columns.tsx';
import { filterFields, type RequestSearch } from './request-filters.ts';

const PAGE_SIZE = 50;
const REFRESH_MS = 5_000;
const route = getRouteApi('/requests');

/** The list of requests and tasks, newest first. All filters are in the URL. */
export function Requests(): ReactElement {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const seesAllKeys = isOperator(useSession());
  const { period: periodName, ...filters } = search;
  const { name, start, end } = periodOf(periodName, useNow(REFRESH_MS));
  const { data, error, refetch } = useQuery({
    ...requestsQuery({ filters, start, end, limit: PAGE_SIZE }),
    // Later pages do not change.
    refetchInterval: search.after === undefined ? REFRESH_MS : false,
    placeholderData: keepPreviousData,
  });
  const setFilters = (next: Filters): void => void navigate({ search: { ...next, after: undefined } as RequestSearch });
  return (
    <>
      <PageHead title="Requests">
        <PeriodSelect value={name} onChange={(period) => setFilters({ ...search, period })} />
      </PageHead>
      <div className="flex flex-col gap-4">
        <FilterBar fields={filterFields(seesAllKeys)} filters={search} onChange={setFilters} />
        {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
        {!(error && !data) && (
          <div className="panel overflow-hidden">
            {data?.data.length === 0 ? (
              <NoRequests isFiltered={Object.keys(filters).length > 0} />
            ) : (
              <DataTable
                caption="Requests"
                columns={requestColumns(seesAllKeys)}
                rows={data?.data}
                idOf={({ id }) => id}
              />
            )}
          </div>
        )}
        <Pages
          isFirst={search.after === undefined}
          next={data?.next}
          onGo={(after) => void navigate({ search: { ...search, after } })}
        />
      </div>
    </>
  );
}

function NoRequests({ isFiltered }: { isFiltered: boolean }): ReactElement {
  return (
    <EmptyState title={isFiltered ? 'No request matches these filters' : 'No requests in this period'}>
      <p>
        {isFiltered
          ? 'Remove a filter, or select a longer period.'
          : 'Select a longer period, or send a request. It appears a few seconds after its response.'}
      </p>
    </EmptyState>
  );
}
