import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Columns3, Rows3 } from 'lucide-react';
import type { ReactElement } from 'react';
import { tasksQuery } from '../../api/tasks.ts';
import { useRefresh } from '../../app/use-live.ts';
import { isOperator, useSession } from '../../app/use-session.ts';
import { FilterBar } from '../../components/filter-bar.tsx';
import { EmptyState } from '../../components/notices.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { PlaygroundLink } from '../../components/playground-link.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import type { Filters } from '../../lib/url-search.ts';
import { useNow } from '../../lib/use-now.ts';
import { TaskBoard } from './task-board.tsx';
import { taskColumns } from './task-columns.tsx';
import { taskFields, type TaskSearch } from './task-filters.ts';

const PAGE_SIZE = 50;
const REFRESH_MS = 3_000;
const route = getRouteApi('/tasks');

/** Videos and images as a list, newest first, or as a board with a column for each state. */
export function Tasks(): ReactElement {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const seesAllKeys = isOperator(useSession());
  const isBoard = search.view === 'board';
  const setFilters = (next: Filters, { replace } = { replace: false }): void =>
    void navigate({ search: { ...next, after: undefined } as TaskSearch, replace });
  return (
    <>
      <PageHead title="Tasks">
        <ViewSwitch isBoard={isBoard} search={search} />
      </PageHead>
      <div className="flex flex-col gap-4">
        <FilterBar fields={taskFields(seesAllKeys, search)} filters={search} onChange={setFilters} />
        {isBoard ? <TaskBoard search={search} /> : <TaskList />}
      </div>
    </>
  );
}

function TaskList(): ReactElement {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const seesAllKeys = isOperator(useSession());
  const { view: _view, ...filters } = search;
  const page = useQuery({
    ...tasksQuery({ ...filters, limit: PAGE_SIZE }),
    refetchInterval: useRefresh(REFRESH_MS),
    placeholderData: keepPreviousData,
  });
  const now = useNow(REFRESH_MS);
  return (
    <PagedTable
      caption="Tasks"
      columns={taskColumns(seesAllKeys, now)}
      page={page}
      empty={<NoTasks isFiltered={Object.keys(filters).length > 0} hasMore={page.data?.has_more === true} />}
      after={search.after}
      onGo={(after) => void navigate({ search: { ...search, after } })}
    />
  );
}

function NoTasks({ isFiltered, hasMore }: { isFiltered: boolean; hasMore: boolean }): ReactElement {
  if (hasMore) {
    return (
      <EmptyState title="No match among the newest tasks">
        <p>Press “Older” to search further back.</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={isFiltered ? 'No task matches these filters' : 'No tasks yet'}>
      <p>
        {isFiltered
          ? 'Remove a filter to see more tasks.'
          : 'A request for a video or an image creates a task. It appears here at once.'}
      </p>
      {!isFiltered && <PlaygroundLink mode="video" />}
    </EmptyState>
  );
}

function ViewSwitch({ isBoard, search }: { isBoard: boolean; search: TaskSearch }): ReactElement {
  const views = [
    { title: 'List', icon: Rows3, view: undefined, isActive: !isBoard },
    { title: 'Board', icon: Columns3, view: 'board', isActive: isBoard },
  ];
  return (
    <nav aria-label="View" className="flex gap-1">
      {views.map(({ title, icon: Icon, view, isActive }) => (
        <Link
          key={title}
          to="/tasks"
          search={{ ...search, view, after: undefined, ...(view && { status: undefined }) }}
          aria-current={isActive ? 'true' : undefined}
          className={`button ${isActive ? 'bg-raised' : 'text-muted'}`}
        >
          <Icon aria-hidden className="size-4" /> {title}
        </Link>
      ))}
    </nav>
  );
}
