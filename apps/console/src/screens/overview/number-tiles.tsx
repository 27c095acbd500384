import type { Latency, UsageList } from '@sluice/api/responses';
import type { ReactElement } from 'react';
import { StatTile } from '../../components/stat-tile.tsx';
import { formatCount, formatDuration, formatKnownCost, formatPercent } from '../../lib/format.ts';
import type { PeriodName } from '../../lib/periods.ts';

export interface NumberTilesProps {
  /** Undefined while it loads. */
  usage: UsageList | undefined;
  latency: Latency | undefined;
  period: PeriodName;
}

type Sum = 'requests' | 'tasks' | 'errors' | 'input_tokens' | 'output_tokens' | 'cost_usd' | 'unpriced';

export function NumberTiles({ usage, latency, period }: NumberTilesProps): ReactElement {
  const sum = (field: Sum): number => usage?.data.reduce((total, row) => total + (row[field] ?? 0), 0) ?? 0;
  const shown = (text: () => string): string | undefined => (usage ? text() : undefined);
  const [requests, errors, input, output] = [sum('requests'), sum('errors'), sum('input_tokens'), sum('output_tokens')];
  const tasks = sum('tasks');
  const unpriced = sum('unpriced');
  const first = latency?.first_event_ms;
  const list = (filters: Record<string, string>) => ({ to: '/requests', search: { period, ...filters } }) as const;
  const slow = (ms: number | undefined) =>
    list({ type: 'request', status: 'ok', ...(ms !== undefined && { min_first_event_ms: String(Math.floor(ms)) }) });
  return (
    <div className="grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-6">
      <StatTile
        label="Requests"
        value={shown(() => formatCount(requests))}
        detail="All statuses"
        link={list({ type: 'request' })}
      />
      <StatTile
        label="Errors"
        value={shown(() => formatCount(errors))}
        detail={shown(() => `${formatPercent(errors, requests + tasks)} of requests${tasks > 0 ? ' and tasks' : ''}`)}
        tone={errors > 0 ? 'bad' : 'normal'}
        link={list({ status: 'error' })}
      />
      <StatTile
        label="First event, p50"
        value={latency && (first ? formatDuration(first.p50) : '–')}
        detail={latency && `Newest ${formatCount(latency.sample)} requests`}
        link={slow(first?.p50)}
      />
      <StatTile
        label="First event, p95"
        value={latency && (first ? formatDuration(first.p95) : '–')}
        detail={latency?.duration_ms && `Complete: ${formatDuration(latency.duration_ms.p95)}`}
        link={slow(first?.p95)}
      />
      <StatTile
        label="Tokens"
        value={shown(() => formatCount(input + output))}
        detail={shown(() => `${formatCount(input)} in, ${formatCount(output)} out`)}
        link={list({ type: 'request' })}
      />
      <StatTile
        label="Cost"
        value={shown(() => formatKnownCost(sum('cost_usd'), sum('cost_usd') === 0 && unpriced))}
        detail={shown(() => (unpriced > 0 ? `${formatCount(unpriced)} without a price` : 'All usage has a price'))}
        link={list({ min_cost_usd: '0.000000001' })}
      />
    </div>
  );
}
