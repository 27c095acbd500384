import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { Key } from '../../api/keys.ts';
import { Badge, type Tone } from '../../components/badge.tsx';
import type { Column } from '../../components/data-table.tsx';
import { formatCount, formatLongDate } from '../../lib/format.ts';
import { BudgetMeter } from './budget-meter.tsx';

const TONES: Readonly<Record<Key['status'], Tone>> = {
  active: 'ok',
  expired: 'warn',
  revoked: 'neutral',
  shadowed: 'bad',
};

export function KeyStatus({ status }: Pick<Key, 'status'>): ReactElement {
  return <Badge tone={TONES[status]}>{status}</Badge>;
}

export const KEY_COLUMNS: readonly Column<Key>[] = [
  {
    title: 'Name',
    cell: ({ id, name, last4, source }) => (
      <>
        <Link to="/keys/$id" params={{ id: id ?? name }} className="font-medium text-accent hover:underline">
          {name}
        </Link>
        <div className="text-xs text-muted">
          {source === 'configuration' ? 'In the configuration' : <span className="font-mono">…{last4}</span>}
        </div>
      </>
    ),
  },
  { title: 'Status', cell: ({ status }) => <KeyStatus status={status} /> },
  {
    title: 'Budget',
    isFlexible: true,
    cell: (key) => (key.budget ? <BudgetMeter {...key} /> : <span className="text-muted">none</span>),
  },
  {
    title: 'Models',
    cell: ({ models, unknown_models: unknown }) => (
      <>
        <div className="max-w-56 truncate">{models?.join(', ') ?? 'all'}</div>
        {unknown && <div className="text-xs text-warn">{unknown.length} not configured</div>}
      </>
    ),
    isMinor: true,
  },
  {
    title: 'Limits',
    cell: ({ limits }) => limitsText(limits) || <span className="text-muted">none</span>,
    isMinor: true,
  },
  {
    title: 'Expires',
    cell: ({ expires_at: at }) =>
      at === undefined ? <span className="text-muted">never</span> : formatLongDate(at * 1_000),
    isMinor: true,
  },
];

/** Returns e.g. `60 rpm, 5 open_tasks`. */
function limitsText(limits: Key['limits'] = {}): string {
  return Object.entries(limits)
    .map(([name, value]) => `${formatCount(value ?? 0)} ${name.replaceAll('_', ' ')}`)
    .join(', ');
}
