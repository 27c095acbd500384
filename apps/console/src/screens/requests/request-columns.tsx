import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { LedgerEntry } from '../../api/requests.ts';
import { Badge, type Tone } from '../../components/badge.tsx';
import type { Column } from '../../components/data-table.tsx';
import { isTaskState, STATUS_TEXTS } from '../tasks/task-status.tsx';
import {
  formatClock,
  formatCount,
  formatDate,
  formatDuration,
  formatEndpoint,
  formatKnownCost,
} from '../../lib/format.ts';

/** The columns of the list. The holder of a key needs no column for the key. */
export function requestColumns(seesAllKeys: boolean): readonly Column<LedgerEntry>[] {
  return seesAllKeys ? [...FIRST, KEY, ...REST] : [...FIRST, ...REST];
}

type Outcome = Pick<LedgerEntry, 'status' | 'error_code'>;

/** A status as text and color. Tasks have states; requests have HTTP statuses, also if their stream failed later. */
export function Status(entry: Outcome): ReactElement {
  return <Badge tone={toneOf(entry)}>{textOf(entry)}</Badge>;
}

function textOf({ status, error_code: code }: Outcome): string {
  if (isTaskState(status)) return STATUS_TEXTS[status];
  if (code === undefined || Number(status) >= 400) return String(status);
  return `${status}, ${code === 'aborted' ? 'aborted' : 'failed'}`;
}

function toneOf({ status, error_code: code }: Outcome): Tone {
  if (typeof status === 'string') return status === 'completed' ? 'ok' : status === 'failed' ? 'bad' : 'neutral';
  if (status >= 500 || (status < 400 && code !== undefined && code !== 'aborted')) return 'bad';
  return status >= 400 || code !== undefined ? 'warn' : 'ok';
}

/** A task that was canceled before it cost anything has no price to know. */
export function entryCost({ status, cost_usd: usd, unpriced }: LedgerEntry): string {
  return status === 'canceled' && !usd ? '–' : formatKnownCost(usd, unpriced);
}

const KEY: Column<LedgerEntry> = { title: 'Key', cell: ({ key }) => key, isMinor: true };

const FIRST: readonly Column<LedgerEntry>[] = [
  {
    title: 'Time',
    cell: ({ id, at_ms: at }) => (
      <>
        <Link to="/requests/$id" params={{ id }} className="text-accent hover:underline">
          <time dateTime={new Date(at).toISOString()}>{formatClock(at)}</time>
        </Link>
        <div className="text-xs text-muted">{formatDate(at)}</div>
      </>
    ),
  },
  {
    title: 'Status',
    cell: ({ status, error_code: code }) => <Status status={status} error_code={code} />,
    detail: ({ duration_ms: ms }) => formatDuration(ms),
  },
];

const REST: readonly Column<LedgerEntry>[] = [
  {
    title: 'Model',
    isFlexible: 'everywhere',
    cell: ({ model, endpoint, type }) => (
      <>
        <div className="truncate font-medium" title={model}>
          {model ?? '–'}
        </div>
        <div className="truncate text-xs text-muted" title={formatEndpoint(endpoint)}>
          {type === 'task' ? 'Task' : formatEndpoint(endpoint)}
        </div>
      </>
    ),
  },
  { title: 'Upstream', cell: ({ upstream }) => upstream ?? '–', isMinor: true },
  {
    title: 'Tokens',
    cell: ({ usage }) =>
      usage?.input_tokens === undefined
        ? '–'
        : `${formatCount(usage.input_tokens)} → ${formatCount(usage.output_tokens ?? 0)}`,
    align: 'end',
    isMinor: true,
  },
  {
    title: 'First event',
    cell: ({ first_event_ms: ms }) => (ms === undefined ? '–' : formatDuration(ms)),
    align: 'end',
    isMinor: true,
  },
  { title: 'Duration', cell: ({ duration_ms: ms }) => formatDuration(ms), align: 'end', isMinor: true },
  {
    title: 'Cost',
    cell: entryCost,
    align: 'end',
    isMinor: true,
  },
];
