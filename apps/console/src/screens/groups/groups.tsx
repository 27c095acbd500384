import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { type Group, groupsQuery } from '../../api/groups.ts';
import { isOperator, useSession } from '../../app/use-session.ts';
import type { Column } from '../../components/data-table.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { ListEmpty } from '../../components/list-empty.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { TimeCell } from '../../components/time-cell.tsx';
import { formatCount } from '../../lib/format.ts';
import type { Filters } from '../../lib/url-search.ts';
import { GROUP_FIELDS, type GroupSearch } from './group-filters.ts';
import { groupCost, GroupProgress, GroupStatus } from './group-status.tsx';

const PAGE_SIZE = 50;
const REFRESH_MS = 3_000;
const route = getRouteApi('/groups');

/** The groups of videos of the key, or of all keys for operators, newest first. */
export function Groups(): ReactElement {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const all = isOperator(useSession());
  const { key, status, after } = search;
  const page = useQuery({
    ...groupsQuery({ all, key, status, after, limit: PAGE_SIZE }),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });
  const setFilters = (next: Filters, { replace } = { replace: false }): void =>
    void navigate({ search: { ...next, after: undefined } as GroupSearch, replace });
  return (
    <>
      <PageHead title="Groups" />
      <div className="flex flex-col gap-4">
        {all && <FilterBar fields={GROUP_FIELDS} filters={search} onChange={setFilters} />}
        <PagedTable
          caption="Groups"
          columns={columnsOf(all)}
          page={page}
          empty={
            <ListEmpty
              noun="group"
              isFiltered={all && (key ?? status) !== undefined}
              hasMore={page.data?.next !== undefined}
            >
              Create up to 1,000 videos with one request, POST /v1/videos/batch. They appear here as a group, with one
              cost and one progress.
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
function columnsOf(all: boolean): readonly Column<Group>[] {
  return [
    {
      title: 'Created',
      cell: ({ id, created_at: at }) => (
        <Link to="/groups/$id" params={{ id }} className="text-accent hover:underline">
          <TimeCell at={at * 1_000} />
        </Link>
      ),
    },
    { title: 'Status', cell: (group) => <GroupStatus {...group} />, detail: groupCost },
    ...(all ? [{ title: 'Key', cell: ({ owner }: Group) => owner, isMinor: true }] : []),
    { title: 'Videos', cell: ({ counts }) => formatCount(counts.total), align: 'end', isMinor: true },
    { title: 'Progress', isFlexible: true, cell: (group) => <GroupProgress {...group} /> },
    { title: 'Cost', cell: groupCost, align: 'end', isMinor: true },
  ];
}
