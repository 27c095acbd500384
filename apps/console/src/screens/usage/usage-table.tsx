import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Meter } from '../../components/meter.tsx';
import { Section } from '../../components/page-head.tsx';
import { formatCount, formatKnownCost, formatPercent } from '../../lib/format.ts';
import { type Dimension, DIMENSIONS, shownValueOf } from './usage-filters.ts';
import type { UsageMetric } from './usage-metrics.ts';
import type { UsageGroup } from './usage-series.ts';

export interface UsageTableProps {
  /** The largest first. Undefined while they load. */
  groups: readonly UsageGroup[] | undefined;
  /** Sum of all usage. The groups can add up to more, because a request can have several labels. */
  total: number | undefined;
  /** Number of requests and tasks with an unknown price. Their cost is not in the sums. */
  unpriced: number;
  /** Whether the report has more groups than one response. */
  isTruncated: boolean;
  dimensions: readonly Dimension[];
  metric: UsageMetric;
  /** Filters of the list of requests behind each row. */
  search: Readonly<Record<string, string | undefined>>;
}

const MAX_SHOWN = 100;

/** The sums of each group. Each row opens its requests. */
export function UsageTable(props: UsageTableProps): ReactElement {
  const { groups, total, unpriced, isTruncated, dimensions, metric, search } = props;
  const hidden = (groups?.length ?? 0) - MAX_SHOWN;
  return (
    <Section
      title={`${metric.title} by ${titleOf(dimensions)}`}
      aside={
        total === undefined
          ? undefined
          : `Total ${metric.isCost ? formatKnownCost(total, unpriced) : metric.format(total)}`
      }
    >
      {metric.isCost && unpriced > 0 && (
        <p className="border-b border-line px-4 py-2.5 text-warn">
          {formatCount(unpriced)} {unpriced === 1 ? 'request or task has' : 'requests and tasks have'} no price, so the
          real cost is higher. To know it, set <code>price</code> of the models in the configuration.
        </p>
      )}
      <DataTable
        caption="Usage by group"
        columns={columnsOf(dimensions, metric, total ?? 0, search)}
        rows={total === undefined ? undefined : groups?.slice(0, MAX_SHOWN)}
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
    { title: 'Cost', cell: ({ row }) => <Cost row={row} />, align: 'end', isMinor: true },
  ];
  return [
    ...dimensions.map((dimension, at): Column<UsageGroup> => ({
      title: DIMENSIONS[dimension],
      cell: ({ row }) =>
        at === 0 ? (
          <RequestsLink row={row} dimensions={dimensions} search={search} />
        ) : (
          nameOf(shownValueOf(row, dimension))
        ),
    })),
    {
      title: metric.title,
      cell: ({ value, row }) => (
        <span className="font-medium">{metric.isCost ? <Cost row={row} /> : metric.format(value)}</span>
      ),
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

/** The known cost, and the number of requests and tasks that are not in it. */
function Cost({ row: { cost_usd: usd = 0, unpriced = 0 } }: Pick<UsageGroup, 'row'>): ReactElement {
  return (
    <>
      {formatKnownCost(usd, usd === 0 && unpriced)}
      {usd > 0 && unpriced > 0 && (
        <span className="block text-xs font-normal text-muted">{formatCount(unpriced)} unpriced</span>
      )}
    </>
  );
}

/** The list of requests has no filter for endpoints, and none for missing values. */
function RequestsLink({
  row,
  dimensions,
  search,
}: Pick<UsageGroup, 'row'> & Pick<UsageTableProps, 'dimensions' | 'search'>): ReactElement {
  const [first = 'model'] = dimensions;
  const text = nameOf(shownValueOf(row, first));
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

function nameOf(value: string | undefined): ReactElement {
  return (
    <span
      className={`inline-block max-w-96 truncate max-sm:max-w-44 align-bottom ${value === undefined ? 'text-muted' : ''}`}
      title={value}
    >
      {value ?? 'none'}
    </span>
  );
}
