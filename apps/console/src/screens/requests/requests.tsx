import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ArrowUp } from 'lucide-react';
import type { ReactElement } from 'react';
import { requestsQuery } from '../../api/requests.ts';
import { useRefresh } from '../../app/use-live.ts';
import { isOperator, useSession } from '../../app/use-session.ts';
import { DataTable } from '../../components/data-table.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { EmptyState, ErrorNotice } from '../../components/notices.tsx';
import { PlaygroundLink } from '../../components/playground-link.tsx';
import { Pages } from '../../components/pages.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { PeriodSelect } from '../../components/period-select.tsx';
import { rangeOf, type TimeRange } from '../../lib/time-range.ts';
import type { Filters } from '../../lib/url-search.ts';
import { useNow } from '../../lib/use-now.ts';
import { ExportLinks } from './export-links.tsx';
import { FollowSwitch } from './follow-switch.tsx';
import { requestColumns } from './request-columns.tsx';
import { filterFields, type RequestSearch } from './request-filters.ts';
import { RequestHistogram } from './request-histogram.tsx';
import { RangeFields } from './range-fields.tsx';
import { useTail } from './use-tail.ts';

const PAGE_SIZE = 50;
const REFRESH_MS = 5_000;
const route = getRouteApi('/requests');

/** The list of requests and tasks, newest first, and their number over time. All filters are in the URL. */
export function Requests(): ReactElement {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const seesAllKeys = isOperator(useSession());
  const { period: _period, start: _start, end: _end, follow, after, ...filters } = search;
  const range = rangeOf(search, useNow(REFRESH_MS));
  const setFilters = (next: Filters, { replace } = { replace: false }): void =>
    void navigate({ search: { ...next, after: undefined } as RequestSearch, replace });
  const select = (selected: { start: number; end: number } | undefined): void =>
    setFilters({ ...search, start: String(selected?.start ?? ''), end: String(selected?.end ?? '') });
  // A fixed period and later pages do not change.
  const canFollow = after === undefined && !range.isFixed;
  return (
    <>
      <PageHead title="Requests">
        {canFollow && (
          <FollowSwitch
            isOn={follow !== 'off'}
            onChange={(isOn) => void navigate({ search: { ...search, follow: isOn ? undefined : 'off' } })}
          />
        )}
        <ExportLinks filters={filters} start={range.start} end={range.end} />
        <PeriodSelect
          value={range.name}
          isCustom={range.isFixed}
          onChange={(period) => setFilters({ ...search, period, start: '', end: '' })}
          onCustom={() => select(range)}
        />
      </PageHead>
      <div className="flex flex-col gap-4">
        {range.isFixed && <RangeFields range={range} onSelect={select} />}
        <RequestHistogram filters={filters} range={range} onSelect={select} />
        <FilterBar fields={filterFields(seesAllKeys)} filters={search} onChange={setFilters} />
        <RequestList filters={filters} range={range} canFollow={canFollow} />
      </div>
    </>
  );
}

interface RequestListProps {
  filters: Readonly<Record<string, string | undefined>>;
  range: TimeRange;
  canFollow: boolean;
}

function RequestList({ filters, range, canFollow }: RequestListProps): ReactElement {
  const { period, start: from, end: until, follow, after } = route.useSearch();
  const navigate = route.useNavigate();
  const seesAllKeys = isOperator(useSession());
  const refreshMs = useRefresh(REFRESH_MS);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...requestsQuery({ filters: { ...filters, after }, start: range.start, end: range.end, limit: PAGE_SIZE }),
    refetchInterval: canFollow ? refreshMs : false,
    placeholderData: keepPreviousData,
  });
  const list = JSON.stringify([filters, period, from, until, after]);
  const tail = useTail(list, isPlaceholderData ? undefined : data, follow === 'off');
  const page = tail.page ?? data;
  return (
    <>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {canFollow && <Waiting count={tail.waiting} onShow={tail.show} />}
      {!(error && !page) && (
        <div className="panel overflow-hidden">
          {page?.data.length === 0 ? (
            <NoRequests
              isFiltered={Object.keys(filters).length > 0 || range.isFixed}
              hasUser={filters.user !== undefined}
            />
          ) : (
            <DataTable
              caption="Requests"
              columns={requestColumns(seesAllKeys)}
              rows={page?.data}
              idOf={({ id }) => id}
              isNew={tail.isNew}
            />
          )}
        </div>
      )}
      <Pages
        isFirst={after === undefined}
        next={page?.next}
        onGo={(next) => void navigate({ search: (now) => ({ ...now, after: next }) })}
      />
    </>
  );
}

/** Says how many entries have arrived while the list is paused or the user reads further down. */
function Waiting({ count, onShow }: { count: number; onShow: () => void }): ReactElement {
  return (
    <div role="status" className="sticky top-16 z-10 -mb-4 flex h-0 justify-center">
      {count > 0 && (
        <button type="button" className="button button-primary -mt-1 rounded-full shadow-lg" onClick={onShow}>
          <ArrowUp aria-hidden className="size-4" />
          {count === 1 ? 'Show 1 new request' : `Show ${count >= PAGE_SIZE ? `${PAGE_SIZE}+` : count} new requests`}
        </button>
      )}
    </div>
  );
}

function NoRequests({ isFiltered, hasUser }: { isFiltered: boolean; hasUser: boolean }): ReactElement {
  return (
    <EmptyState title={isFiltered ? 'No request matches these filters' : 'No requests in this period'}>
      <p>
        {isFiltered
          ? 'Remove a filter, or select a longer period.'
          : 'Select a longer period, or send a request. It appears a few seconds after its response.'}
      </p>
      {hasUser && <p>Enter the end user as requests show it: by default, a hash.</p>}
      {!isFiltered && <PlaygroundLink mode="chat" />}
    </EmptyState>
  );
}
