import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { type ReactElement, useMemo } from 'react';
import { usageCsvUrl, type UsageReportQuery, usageReportQuery } from '../../api/usage-report.ts';
import { isOperator, useSession } from '../../app/use-session.ts';
import { FilterBar } from '../../components/filter-bar.tsx';
import { EmptyState, ErrorNotice } from '../../components/notices.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { PeriodSelect } from '../../components/period-select.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { periodOf } from '../../lib/periods.ts';
import { useNow } from '../../lib/use-now.ts';
import { Budgets } from './budgets.tsx';
import { UsageChart } from './usage-chart.tsx';
import { DIMENSIONS, dimensionsOf, FILTER_FIELDS, filtersOf, type UsageSearch } from './usage-filters.ts';
import { metricNamed, METRICS } from './usage-metrics.ts';
import { filtersFor, groupsOf, MAX_SERIES, seriesOf } from './usage-series.ts';
import { UsageTable } from './usage-table.tsx';

const REFRESH_MS = 60_000;
const route = getRouteApi('/usage');

/** Any metric by up to two dimensions over time, and the budgets. */
export function Usage(): ReactElement {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const seesAllKeys = isOperator(useSession());
  const set = (next: UsageSearch): void => void navigate({ search: { ...search, ...next } });
  const period = periodOf(search.period, useNow(REFRESH_MS));
  const { groups, total, unpriced, error, isTruncated, retry, chart, csv } = useUsage(search, period);
  const metric = metricNamed(search.metric);
  const dimensions = dimensionsOf(search);
  const options = Object.entries(DIMENSIONS).map(([value, title]) => ({ value, title }));
  const isFiltered = Object.values(filtersOf(search)).some((value) => value !== undefined);
  return (
    <>
      <PageHead title="Usage">
        <a className="button" href={csv} download={`usage-${dimensions.join('-')}.csv`}>
          <Download aria-hidden className="size-4" /> Download CSV
        </a>
        <PeriodSelect value={period.name} onChange={(name) => set({ period: name })} />
      </PageHead>
      <div className="flex flex-col gap-4">
        <div className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
          <SelectField
            label="Metric"
            value={metric.name}
            options={METRICS.map(({ name, title }) => ({ value: name, title }))}
            onChange={(name) => set({ metric: name })}
          />
          <SelectField label="Group by" value={dimensions[0]} options={options} onChange={(by) => set({ by })} />
          <SelectField
            label="Then by"
            value={dimensions[1] ?? ''}
            options={[{ value: '', title: 'Nothing' }, ...options.filter(({ value }) => value !== dimensions[0])]}
            onChange={(split) => set({ split })}
          />
        </div>
        <FilterBar
          fields={FILTER_FIELDS.filter(({ name }) => seesAllKeys || name !== 'key')}
          filters={search}
          onChange={(filters, { replace }) => void navigate({ search: filters as UsageSearch, replace })}
        />
        {error && <ErrorNotice error={error} onRetry={retry} />}
        {groups?.length === 0 ? (
          <div className="panel">
            <EmptyState title={isFiltered ? 'No usage matches these filters' : 'No usage in this period'}>
              <p>
                {isFiltered
                  ? 'Remove a filter, or select a longer period.'
                  : 'Select a longer period, or send a request. It appears a few seconds after its response.'}
              </p>
            </EmptyState>
          </div>
        ) : (
          !(error && !groups) && (
            <>
              <UsageChart chart={chart} metric={metric} unit={period.unit} />
              <UsageTable
                groups={groups}
                total={total}
                unpriced={unpriced}
                isTruncated={isTruncated}
                dimensions={dimensions}
                metric={metric}
                search={{ period: search.period, ...filtersOf(search) }}
              />
            </>
          )
        )}
        <Budgets />
      </div>
    </>
  );
}

/** Reads the groups, and then the largest of them over time. */
function useUsage(search: UsageSearch, { start, end, unit }: ReturnType<typeof periodOf>) {
  const metric = metricNamed(search.metric);
  const dimensions = dimensionsOf(search);
  const report: UsageReportQuery = {
    metric: [...new Set([metric.metric, 'unpriced'])].join(','),
    groupBy: dimensions,
    filters: filtersOf(search),
    start,
    end,
  };
  const shown = { placeholderData: keepPreviousData };
  const grouped = useQuery({ ...usageReportQuery(report), ...shown });
  const totals = useQuery({ ...usageReportQuery({ ...report, groupBy: [unit] }), ...shown });
  const groups = grouped.data && groupsOf(grouped.data.data, dimensions, metric);
  const top = (groups ?? []).slice(0, MAX_SERIES).filter(({ value }) => value > 0);
  const timed = useQuery({
    ...usageReportQuery({
      ...report,
      groupBy: [...dimensions, unit],
      filters: { ...report.filters, ...filtersFor(top, dimensions) },
    }),
    ...shown,
    enabled: grouped.data !== undefined && !grouped.isPlaceholderData,
  });
  const chart = useMemo(
    () =>
      timed.data && totals.data
        ? seriesOf({
            top,
            timed: timed.data.data,
            totals: totals.data.data,
            dimensions,
            metric,
            period: { start, end, unit },
          })
        : undefined,
    // The groups and dimensions are derived from these.
    [grouped.data, timed.data, totals.data, metric, unit, start, end],
  );
  return {
    groups,
    total: totals.data?.data.reduce((sum, row) => sum + metric.valueOf(row), 0),
    unpriced: totals.data?.data.reduce((sum, row) => sum + (row.unpriced ?? 0), 0) ?? 0,
    chart,
    isTruncated: grouped.data?.has_more === true,
    error: grouped.error ?? totals.error ?? timed.error,
    retry: () => void Promise.all([grouped.refetch(), totals.refetch(), timed.refetch()]),
    csv: usageCsvUrl({ ...report, groupBy: [...dimensions, unit] }),
  };
}
