import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Meter } from '../../components/meter.tsx';
import { Section } from '../../components/page-head.tsx';
import { formatCost, formatCount, formatPercent } from '../../lib/format.ts';
import { type Dimension, DIMENSIONS } from './usage-filters.ts';
import type { UsageMetric } from './usage-metrics.ts';
import type { UsageGroup } from './usage-series.ts';

export interface UsageTableProps {
  /** The largest first. Undefined while they load. */
  groups: readonly UsageGroup[] | undefined;
  /** Whether the report has more groups than one response. */
  isTruncated: boolean;
  dimensions: readonly Dimension[];
  metric: UsageMetric;
  /** Filters of the list of requests behind each row. */
  search: Readonly<Record<string, string | undefined>>;
}

const MAX_SHOWN = 100;

/** The sums of each group. Each row opens its requests. */
export function UsageTable({ groups, isTruncated, dimensions, metric, search }: UsageTableProps): ReactElement {
  const total = groups?.reduce((sum, { value }) => sum + value, 0) ?? 0;
  const hidden = (groups?.length ?? 0) - MAX_SHOWN;
  return (
    <Section title={`${metric.title} by ${titleOf(dimensions)}`} aside={groups && `Total ${metric.format(total)}`}>
      <DataTable
        caption="Usage by group"
        columns={columnsOf(dimensions, metric, total, search)}
        rows={groups?.slice(0, MAX_SHOWN)}
        idOf={({ id }) => id}
      />
      {(hidden > 0 || isTruncated) && (
        <p className="border-t border-line px-4 py-3 text-muted">
          {isTruncated
            ? 'There are more than 10,000 groups. Add a filter.'
            : `${formatCount(hidden)} smaller groups are in the CSV file.`}
        </p>
      )}
    </Section>
  );
}

function titleOf(dimensions: readonly Dimension[]): string {
  return dimensions
    .map((dimension) => DIMENSIONS[dimension].replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase()))
    .join(' and ');
}

function columnsOf(
  dimensions: readonly Dimension[],
  metric: UsageMetric,
  total: number,
  search: UsageTableProps['search'],
): readonly Column<UsageGroup>[] {
  const sums: Column<UsageGroup>[] = [
    { title: 'Requests', cell: ({ row }) => formatCount(row.requests ?? 0), align: 'end', isMinor: true },
    { title: 'Cost', cell: ({ row }) => formatCost(row.cost_usd ?? 0), align: 'end', isMinor: true },
  ];
  return [
    ...dimensions.map((dimension, at): Column<UsageGroup> => ({
      title: DIMENSIONS[dimension],
      cell: ({ row }) =>
        at === 0 ? <RequestsLink row={row} dimensions={dimensions} search={search} /> : nameOf(row[dimension]),
    })),
    {
      title: metric.title,
      cell: ({ value }) => <span className="font-medium">{metric.format(value)}</span>,
      align: 'end',
    },
    {
      title: 'Share',
      cell: ({ value }) => (
        <span className="inline-flex w-28 items-center gap-2">
          <Meter label={formatPercent(value, total)} value={value} max={total} isNeutral />
          <span className="w-12 shrink-0">{formatPercent(value, total)}</span>
        </span>
      ),
      align: 'end',
    },
    ...sums.filter(({ title }) => title !== metric.title),
  ];
}

/** The list of requests has no filter for endpoints, and none for missing values. */
function RequestsLink({
  row,
  dimensions,
  search,
}: Pick<UsageGroup, 'row'> & Pick<UsageTableProps, 'dimensions' | 'search'>): ReactElement {
  const [first = 'model'] = dimensions;
  const text = nameOf(row[first]);
  const filters = {
    ...search,
    ...Object.fromEntries(dimensions.map((dimension) => [dimension, row[dimension] ?? undefined])),
  };
  if (filters['endpoint'] !== undefined || dimensions.some((dimension) => row[dimension] === null)) return text;
  return (
    <Link to="/requests" search={filters} className="text-accent hover:underline">
      {text}
    </Link>
  );
}

function nameOf(value: string | null | undefined): ReactElement {
  return (
    <span className={`inline-block max-w-64 truncate align-bottom ${value === null ? 'text-muted' : ''}`}>
      {value ?? 'none'}
    </span>
  );
}
