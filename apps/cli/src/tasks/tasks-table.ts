import type { ShownTaskDetails, ShownEntry, ShownTask } from '@sluice/tasks';
import { alignColumns, alignTable } from '../terminal/align-columns.ts';

/** @param now Unix milliseconds */
export function tasksTable(tasks: readonly ShownTask[], now: number): string {
  if (tasks.length === 0) return '  No tasks.';
  const rows = tasks.map((task) => [
    task.id,
    task.status,
    `${task.progress} %`,
    durationOf(now - task.created_at * 1_000),
    task.owner,
    task.model,
    task.upstream,
    String(task.attempt),
    task.error?.code ?? task.waiting_reason ?? '',
  ]);
  const head = ['TASK', 'STATUS', 'DONE', 'AGE', 'OWNER', 'MODEL', 'UPSTREAM', 'ATTEMPT', 'ERROR'];
  return alignTable(head, rows);
}

export function dossierTable({ timeline, request, ...task }: ShownTaskDetails): string {
  return `${taskTable(task)}\n\n  Request\n${fieldsTable(request)}\n\n  Timeline (UTC)\n${timelineTable(timeline)}`;
}

export function taskTable(task: Partial<ShownTask>): string {
  const { object: _object, ...fields } = task;
  return fieldsTable(fields);
}

function fieldsTable(fields: object): string {
  return alignColumns(Object.entries(fields).map(([name, value]) => [name, formatField(name, value)]));
}

function timelineTable(timeline: readonly ShownEntry[]): string {
  const begun = timeline[0]?.at_ms ?? 0;
  return alignColumns(
    timeline.map((entry) => [
      clockOf(entry.at_ms),
      `+${durationOf(entry.at_ms - begun)}`,
      [entry.what ?? 'moved', entry.outcome].filter(Boolean).join(' '),
      `${entry.status} ${entry.progress} %`,
      `${entry.upstream} #${entry.attempt}`,
      detailsOf(entry),
    ]),
  );
}

function detailsOf({ count, until_ms, http_status, code, reason, by, note }: ShownEntry): string {
  const details = [
    count !== undefined && until_ms !== undefined && `×${count} until ${clockOf(until_ms)}`,
    http_status !== undefined && `HTTP ${http_status}`,
    code,
    by !== undefined && `by ${by}`,
    reason,
    note !== undefined && `(${note})`,
  ];
  return details.filter(Boolean).join(', ');
}

function formatField(name: string, value: unknown): string {
  if (name.endsWith('_at') && typeof value === 'number') {
    return `${new Date(value * 1_000).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  }
  return format(value);
}

function format(value: unknown): string {
  if (Array.isArray(value)) return value.map(format).join('; ') || 'none';
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  return Object.entries(value)
    .map(([name, inner]) => `${name} ${format(inner)}`)
    .join(', ');
}

function clockOf(ms: number): string {
  return new Date(ms).toISOString().slice(11, 23);
}

/** Formats a duration as `4.2s`, `12m`, `3h`, or `2d`. */
function durationOf(ms: number): string {
  if (ms < 60_000) return `${(Math.max(0, ms) / 1_000).toFixed(1)}s`;
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)}m`;
  return ms < 48 * 3_600_000 ? `${Math.floor(ms / 3_600_000)}h` : `${Math.floor(ms / 86_400_000)}d`;
}
