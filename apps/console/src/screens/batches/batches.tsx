import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { batchesQuery, type Batch } from '../../api/batches.ts';
import { isOperator, useSession } from '../../app/use-session.ts';
import type { Column } from '../../components/data-table.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { ListEmpty } from '../../components/list-empty.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { TimeCell } from '../../components/time-cell.tsx';
import type { Filters } from '../../lib/url-search.ts';
import { BATCH_FIELDS, type BatchSearch } from './batch-filters.ts';
import { BatchProgress } from './batch-progress.tsx';
import { batchCost, BatchStatus, runnerOf } from './batch-status.tsx';

const PAGE_SIZE = 50;
const REFRESH_MS = 3_000;
const route = getRouteApi('/batches');

/** The batches of the key, or of all keys for operators, newest first. */
export function Batches(): ReactElement {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const all = isOperator(useSession());
  const { key, status, model, after } = search;
  const page = useQuery({
    ...batchesQuery({ all, key, status, model, after, limit: PAGE_SIZE }),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });
  const setFilters = (next: Filters, { replace } = { replace: false }): void =>
    void navigate({ search: { ...next, after: undefined } as BatchSearch, replace });
  const isFiltered = all && (key ?? status ?? model) !== undefined;
  return (
    <>
      <PageHead title="Batches" />
      <div className="flex flex-col gap-4">
        {all && <FilterBar fields={BATCH_FIELDS} filters={search} onChange={setFilters} />}
        <PagedTable
          caption="Batches"
          columns={columnsOf(all)}
          page={page}
          empty={
            <ListEmpty noun="batch" plural="batches" isFiltered={isFiltered} hasMore={page.data?.next !== undefined}>
              Upload a file with one request in each line, and create a batch with POST /v1/batches, or with the SDK of
              OpenAI, Anthropic, or Google. It appears here at once.
            </ListEmpty>
          }
          after={after}
          onGo={(next) => void navigate({ search: { ...search, after: next } })}
        />
      </div>
    </>
  );
}

/** The holder of a key needs no column for the key. */
function columnsOf(all: boolean): readonly Column<Batch>[] {
  return [
    {
      title: 'Created',
      cell: ({ id, created_at: at }) => (
        <Link to="/batches/$id" params={{ id }} className="text-accent hover:underline">
          <TimeCell at={at * 1_000} />
        </Link>
      ),
    },
    { title: 'Status', cell: (batch) => <BatchStatus {...batch} />, detail: runnerOf },
    ...(all ? [{ title: 'Key', cell: ({ owner }: Batch) => owner, isMinor: true }] : []),
    {
      title: 'Model',
      isFlexible: true,
      cell: ({ model, endpoint }) => (
        <>
          <div className="max-w-56 truncate font-medium" title={model ?? undefined}>
            {model ?? '–'}
          </div>
          <div className="max-w-56 truncate text-xs text-muted">{endpoint}</div>
        </>
      ),
      detail: ({ request_counts: counts }) => <BatchProgress counts={counts} />,
    },
    { title: 'Sent', cell: runnerOf, isMinor: true },
    { title: 'Requests', cell: ({ request_counts: counts }) => <BatchProgress counts={counts} />, isMinor: true },
    { title: 'Cost', cell: batchCost, align: 'end', isMinor: true },
  ];
}
