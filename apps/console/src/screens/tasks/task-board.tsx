import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { type Task, tasksQuery } from '../../api/tasks.ts';
import { overviewQuery } from '../../api/usage.ts';
import { useRefresh } from '../../app/use-live.ts';
import { isOperator, useSession } from '../../app/use-session.ts';
import { Badge } from '../../components/badge.tsx';
import { ErrorNotice, Skeleton } from '../../components/notices.tsx';
import { formatCount } from '../../lib/format.ts';
import { useNow } from '../../lib/use-now.ts';
import { costOf, durationOf } from './task-columns.tsx';
import type { TaskSearch } from './task-filters.ts';
import { isEnded, statusText, statusTone, TaskStatus } from './task-status.tsx';

type Status = Task['status'];

/** The first state names the column. Lost submissions have a column only if there are any. */
const COLUMNS: readonly (readonly [Status, ...Status[]])[] = [
  ['submit_unknown'],
  ['queued', 'submitting'],
  ['in_progress', 'finishing', 'canceling'],
  ['completed'],
  ['failed'],
  ['canceled'],
];
const OPEN_CARDS = 100;
const ENDED_CARDS = 8;
const OPEN_REFRESH_MS = 3_000;
const ENDED_REFRESH_MS = 10_000;

/** A column for each state: all open tasks up to a limit, and the newest ended ones. */
export function TaskBoard({ search }: { search: TaskSearch }): ReactElement {
  const { view: _view, status: _status, after: _after, ...filters } = search;
  const isFiltered = Object.keys(filters).length > 0;
  const operator = isOperator(useSession());
  const { data: overview } = useQuery({
    ...overviewQuery,
    enabled: operator && !isFiltered,
    refetchInterval: useRefresh(OPEN_REFRESH_MS),
  });
  const open = useTasks({ ...filters, status: 'open', limit: OPEN_CARDS }, OPEN_REFRESH_MS);
  const completed = useTasks({ ...filters, status: 'completed', limit: ENDED_CARDS }, ENDED_REFRESH_MS);
  const failed = useTasks({ ...filters, status: 'failed', limit: ENDED_CARDS }, ENDED_REFRESH_MS);
  const canceled = useTasks({ ...filters, status: 'canceled', limit: ENDED_CARDS }, ENDED_REFRESH_MS);
  const queries = [open, completed, failed, canceled];
  const failure = queries.find(({ error, data }) => error && !data);
  const now = useNow(OPEN_REFRESH_MS);
  if (failure?.error) return <ErrorNotice error={failure.error} onRetry={() => void failure.refetch()} />;
  const tasks = queries.flatMap(({ data }) => data?.data ?? []);
  const columns = COLUMNS.filter(
    ([first]) => first !== 'submit_unknown' || tasks.some(({ status }) => status === 'submit_unknown'),
  );
  const isLoading = queries.some(({ data }) => data === undefined);
  const counts: Partial<Record<string, number>> = overview && !isFiltered ? overview.tasks : {};
  return (
    <div
      className="grid auto-cols-[minmax(11rem,1fr)] grid-flow-col items-start gap-3 overflow-x-auto pb-2"
      tabIndex={0}
      role="region"
      aria-label="Board"
    >
      {columns.map((states) => (
        <Column
          key={states[0]}
          states={states}
          tasks={isLoading ? undefined : tasks.filter(({ status }) => states.includes(status))}
          filters={filters}
          total={overview && !isFiltered ? states.reduce((sum, one) => sum + (counts[one] ?? 0), 0) : undefined}
          now={now}
        />
      ))}
    </div>
  );
}

function useTasks(query: Parameters<typeof tasksQuery>[0], refetchInterval: number) {
  return useQuery({
    ...tasksQuery(query),
    refetchInterval: useRefresh(refetchInterval),
    placeholderData: keepPreviousData,
  });
}

interface ColumnProps {
  states: readonly [Status, ...Status[]];
  tasks: readonly Task[] | undefined;
  filters: TaskSearch;
  /** Number of all tasks in the state, if it is known. */
  total: number | undefined;
  now: number;
}

function Column({ states: [status], tasks, filters, total, now }: ColumnProps): ReactElement {
  const count = total ?? tasks?.length;
  return (
    <section aria-label={statusText(status)} className="panel min-w-0 bg-raised/50 p-2">
      <h2 className="flex items-center justify-between px-1.5 pt-1 pb-2.5">
        <Badge tone={statusTone(status)}>{statusText(status)}</Badge>
        <span className="text-muted tabular-nums">{count === undefined ? '' : formatCount(count)}</span>
      </h2>
      <ul className="flex flex-col gap-2">
        {tasks?.map((task) => <Card key={task.id} task={task} now={now} />) ?? <Skeleton className="h-16" />}
      </ul>
      {tasks?.length === 0 && <p className="px-1.5 pb-2 text-xs text-muted">None</p>}
      {isEnded(status) && tasks !== undefined && tasks.length >= ENDED_CARDS && (
        <Link
          to="/tasks"
          search={{ ...filters, status }}
          className="block px-1.5 pt-2.5 pb-1 text-xs text-accent hover:underline"
        >
          Show all
        </Link>
      )}
    </section>
  );
}

function Card({ task, now }: { task: Task; now: number }): ReactElement {
  const { id, model, kind, progress, status, error } = task;
  return (
    <li>
      <Link to="/tasks/$id" params={{ id }} className="panel block min-w-0 p-2.5 hover:border-accent">
        <span className="block truncate font-medium">{model}</span>
        <span className="block truncate text-xs text-muted">
          {kind} · {durationOf(task, now)}
          {isEnded(status) && ` · ${costOf(task)}`}
        </span>
        {error && <span className="mt-1 line-clamp-2 text-xs break-words text-bad">{error.message}</span>}
        {!isEnded(status) && (
          <span className="mt-1.5 block text-xs">
            <TaskStatus status={status} progress={progress} />
          </span>
        )}
      </Link>
    </li>
  );
}
