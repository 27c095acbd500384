import type { Overview } from '@sluice/api/responses';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { overviewQuery } from '../../api/usage.ts';
import { Badge, type Tone } from '../../components/badge.tsx';
import { ErrorNotice, Skeleton } from '../../components/notices.tsx';
import { Section } from '../../components/page-head.tsx';
import { formatCount } from '../../lib/format.ts';

const REFRESH_MS = 5_000;

/** Tasks by state, and upstreams: what only an operator sees. */
export function OperatorPanels(): ReactElement {
  const { data, error, refetch } = useQuery({ ...overviewQuery, refetchInterval: REFRESH_MS });
  if (error && !data) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Section title="Tasks" aside="Stored tasks by state">
        {data ? <Tasks tasks={data.tasks} /> : <Skeleton className="m-4 h-20" />}
      </Section>
      <Section title="Upstreams" aside="Circuit breakers">
        {data ? <Upstreams upstreams={data.upstreams} /> : <Skeleton className="m-4 h-20" />}
      </Section>
    </div>
  );
}

/** Only tasks that have ended are in the list of requests. */
const ENDED: ReadonlySet<string> = new Set(['completed', 'failed', 'canceled']);

function Tasks({ tasks }: Pick<Overview, 'tasks'>): ReactElement {
  const states = Object.entries(tasks);
  if (states.length === 0)
    return <p className="p-4 text-muted">No tasks yet. A request for a video or an image creates one.</p>;
  return (
    <dl className="grid grid-cols-2 gap-4 p-4 sm:grid-cols-3">
      {states.map(([state, count]) => (
        <div key={state}>
          <dt className="text-xs text-muted">{state.replaceAll('_', ' ')}</dt>
          <dd className="text-lg font-semibold tabular-nums">
            {ENDED.has(state) ? (
              <Link
                to="/requests"
                search={{ period: '30d', type: 'task', status: state }}
                className="hover:text-accent hover:underline"
              >
                {formatCount(count)}
              </Link>
            ) : (
              formatCount(count)
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const STATES: Readonly<Record<Overview['upstreams'][number]['state'], { tone: Tone; text: string }>> = {
  closed: { tone: 'ok', text: 'Healthy' },
  'half-open': { tone: 'warn', text: 'Testing' },
  open: { tone: 'bad', text: 'Paused' },
};

function Upstreams({ upstreams }: Pick<Overview, 'upstreams'>): ReactElement {
  if (upstreams.length === 0)
    return <p className="p-4 text-muted">No upstream serves text. Add one to `upstreams` in the configuration.</p>;
  return (
    <ul className="divide-y divide-line">
      {upstreams.map(({ upstream, state, open_operations: operations }) => (
        <li key={upstream} className="flex items-center justify-between gap-4 px-4 py-2.5">
          <Link
            to="/requests"
            search={{ period: '24h', upstream }}
            className="truncate font-medium hover:text-accent hover:underline"
          >
            {upstream}
          </Link>
          <span className="flex items-center gap-3 text-xs text-muted">
            {operations.join(', ')}
            <Badge tone={STATES[state].tone}>{STATES[state].text}</Badge>
          </span>
        </li>
      ))}
    </ul>
  );
}
