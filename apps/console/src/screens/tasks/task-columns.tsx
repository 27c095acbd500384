import { Link } from '@tanstack/react-router';
import type { Task } from '../../api/tasks.ts';
import type { Column } from '../../components/data-table.tsx';
import { TimeCell } from '../../components/time-cell.tsx';
import { formatKnownCost, formatSeconds } from '../../lib/format.ts';
import { isEnded, TaskStatus } from './task-status.tsx';

/** The columns of the list. The holder of a key needs no column for the key. */
export function taskColumns(seesAllKeys: boolean, now: number): readonly Column<Task>[] {
  return [
    {
      title: 'Created',
      cell: ({ id, created_at: at }) => (
        <Link to="/tasks/$id" params={{ id }} className="text-accent hover:underline">
          <TimeCell at={at * 1_000} />
        </Link>
      ),
    },
    {
      title: 'Status',
      cell: (task) => <TaskStatus {...task} />,
      detail: (task) => durationOf(task, now),
    },
    ...(seesAllKeys ? [{ title: 'Key', cell: ({ key }: Task) => key, isMinor: true }] : []),
    {
      title: 'Model',
      isFlexible: true,
      cell: ({ model, kind }) => (
        <>
          <div className="max-w-56 truncate font-medium" title={model}>
            {model}
          </div>
          <div className="text-xs text-muted">{kind}</div>
        </>
      ),
    },
    { title: 'Upstream', cell: ({ upstream }) => upstream, isMinor: true },
    { title: 'Duration', cell: (task) => durationOf(task, now), align: 'end', isMinor: true },
    { title: 'Cost', cell: costOf, align: 'end', isMinor: true },
  ];
}

/** The duration of an ended task, or the age of an open one. */
export function durationOf({ created_at: from, ended_at: until }: Task, now: number): string {
  const seconds = Math.floor(Math.max(0, until === undefined ? now / 1_000 - from : until - from));
  return seconds < 1 ? 'under 1 s' : formatSeconds(seconds);
}

export function costOf({ cost_usd: usd, unpriced, status }: Task): string {
  // A task that was canceled before it cost anything has no price to know.
  if (!isEnded(status) || (status === 'canceled' && !usd)) return '–';
  return formatKnownCost(usd, unpriced);
}
