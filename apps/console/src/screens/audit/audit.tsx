import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { auditQuery } from '../../api/audit.ts';
import { DataTable } from '../../components/data-table.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { EmptyState, ErrorNotice } from '../../components/notices.tsx';
import { OperatorsOnly } from '../../components/operators-only.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Pages } from '../../components/pages.tsx';
import { PeriodSelect } from '../../components/period-select.tsx';
import { rangeOf, type TimeRange } from '../../lib/time-range.ts';
import type { Filters } from '../../lib/url-search.ts';
import { useNow } from '../../lib/use-now.ts';
import { AUDIT_COLUMNS } from './audit-columns.tsx';
import { AUDIT_FIELDS, type AuditSearch } from './audit-filters.ts';

const PAGE_SIZE = 50;
const REFRESH_MS = 10_000;
/** Changes are rarer than requests. */
const DEFAULT_PERIOD = '30d';
const route = getRouteApi('/audit');

/** The changes that people and keys made, newest first. All filters are in the URL. */
export function Audit(): ReactElement {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const range = rangeOf({ period: DEFAULT_PERIOD, ...search }, useNow(REFRESH_MS));
  const setFilters = (next: Filters, { replace } = { replace: false }): void =>
    void navigate({ search: { ...next, after: undefined } as AuditSearch, replace });
  return (
    <>
      <PageHead title="Audit log">
        <PeriodSelect
          value={range.name}
          isCustom={range.isFixed}
          onChange={(period) => setFilters({ ...search, period, start: '', end: '' })}
        />
      </PageHead>
      <OperatorsOnly>
        <div className="flex flex-col gap-4">
          <FilterBar fields={AUDIT_FIELDS} filters={search} onChange={setFilters} />
          <AuditList range={range} />
        </div>
      </OperatorsOnly>
    </>
  );
}

function AuditList({ range: { start, end, isFixed } }: { range: TimeRange }): ReactElement {
  const { actor, operation, target, after } = route.useSearch();
  const navigate = route.useNavigate();
  const filters = { actor, operation, target };
  const { data, error, refetch } = useQuery({
    ...auditQuery({ filters: { ...filters, after }, start, end, limit: PAGE_SIZE }),
    refetchInterval: after === undefined && !isFixed ? REFRESH_MS : false,
    placeholderData: keepPreviousData,
  });
  const isFiltered = isFixed || Object.values(filters).some((value) => value !== undefined);
  return (
    <>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!(error && !data) && (
        <div className="panel overflow-hidden">
          {data?.data.length === 0 ? (
            <NoChanges isFiltered={isFiltered} />
          ) : (
            <DataTable
              caption="Changes, newest first"
              columns={AUDIT_COLUMNS}
              rows={data?.data}
              idOf={({ id }) => id}
            />
          )}
        </div>
      )}
      <Pages
        isFirst={after === undefined}
        next={data?.next}
        onGo={(next) => void navigate({ search: (now) => ({ ...now, after: next }) })}
      />
    </>
  );
}

function NoChanges({ isFiltered }: { isFiltered: boolean }): ReactElement {
  return (
    <EmptyState title={isFiltered ? 'No change matches these filters' : 'No changes in this period'}>
      <p>
        {isFiltered
          ? 'Remove a filter, or select a longer period. Filters match whole names and ids.'
          : 'Select a longer period. Changes of keys, tasks, and webhooks appear here, and sign-ins, too.'}
      </p>
    </EmptyState>
  );
}
