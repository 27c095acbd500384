import { Link } from '@tanstack/react-router';
import type { Task } from '../../api/tasks.ts';
import type { Column } from '../../components/data-table.tsx';
import { formatCost, formatDuration, formatTime } from '../../lib/format.ts';
import { isEnded, TaskStatus } from './task-status.tsx';

/** The columns of the list. The holder of a key needs no column for the key. */
export function taskColumns(seesAllKeys: boolean, now: number): readonly Column<Task>[] {
  return [
    {
      title: 'Created',
      cell: ({ id, created_at: at }) => (
        <Link to="/tasks/$id" params={{ id }} className="text-accent hover:underline">
          <time dateTime={new Date(at * 1_000).toISOString()}>{formatTime(at * 1_000)}</time>
        </Link>
      ),
    },
    { title: 'Status', cell: (task) => <TaskStatus {...task} /> },
    ...(seesAllKeys ? [{ title: 'Key', cell: ({ key }: Task) => key, isMinor: true }] : []),
    {
      title: 'Model',
      cell: ({ model, kind }) => (
        <>
          <div className="max-w-56 truncate font-medium">{model}</div>
          <div className="text-xs text-muted">{kind}</div>
        </>
      ),
    },
    { title: 'Upstream', cell: ({ upstream }) => upstream, isMinor: true },
    { title: 'Age', cell: (task) => durationOf(task, now), align: 'end' },
    { title: 'Cost', cell: costOf, align: 'end', isMinor: true },
  ];
}

/** The duration of an ended task, or the age of an open one. */
export function durationOf({ created_at: from, ended_at: until }: Task, now: number): string {
  const ms = until === undefined ? Math.max(0, now - from * 1_000) : (until - from) * 1_000;
  return ms < 1_000 ? 'under 1 s' : formatDuration(ms);
}

export function costOf({ cost_usd: usd, unpriced, status }: Task): string {
  if (!isEnded(status)) return '–';
  return unpriced ? 'no price' : formatCost(usd ?? 0);
}
