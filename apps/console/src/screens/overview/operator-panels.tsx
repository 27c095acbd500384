import type { Overview, UpstreamList } from '@sluice/api/responses';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { upstreamsQuery } from '../../api/upstreams.ts';
import { overviewQuery } from '../../api/usage.ts';
import { useRefresh } from '../../app/use-live.ts';
import { Badge } from '../../components/badge.tsx';
import { ErrorNotice, Skeleton } from '../../components/notices.tsx';
import { Section } from '../../components/page-head.tsx';
import { formatCount } from '../../lib/format.ts';
import { TASK_STATES } from '../tasks/task-status.tsx';
import { statusText } from '../tasks/task-status.tsx';
import { healthOf } from '../upstreams/upstream-health.ts';

const REFRESH_MS = 5_000;
/** Those with a problem are first. */
const MAX_UPSTREAMS = 8;

/** Tasks by state, and upstreams: what only an operator sees. */
export function OperatorPanels(): ReactElement {
  const refetchInterval = useRefresh(REFRESH_MS);
  const { data, error, refetch } = useQuery({ ...overviewQuery, refetchInterval });
  const upstreams = useQuery({ ...upstreamsQuery, refetchInterval });
  if (error && !data) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (upstreams.error && !upstreams.data)
    return <ErrorNotice error={upstreams.error} onRetry={() => void upstreams.refetch()} />;
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Section title="Tasks" aside="Stored tasks by state">
        {data ? <Tasks tasks={data.tasks} /> : <Skeleton className="m-4 h-20" />}
      </Section>
      <Section
        title="Upstreams"
        aside={
          <Link to="/upstreams" className="text-accent hover:underline">
            All upstreams
          </Link>
        }
      >
        {upstreams.data ? <Upstreams upstreams={upstreams.data.data} /> : <Skeleton className="m-4 h-20" />}
      </Section>
    </div>
  );
}

function Tasks({ tasks }: Pick<Overview, 'tasks'>): ReactElement {
  const states = TASK_STATES.flatMap((state) => (tasks[state] === undefined ? [] : [[state, tasks[state]] as const]));
  if (states.length === 0)
    return <p className="p-4 text-muted">No tasks yet. A request for a video or an image creates one.</p>;
  return (
    <dl className="grid grid-cols-2 gap-4 p-4 sm:grid-cols-3">
      {states.map(([state, count]) => (
        <div key={state}>
          <dt className="text-xs text-muted">{statusText(state)}</dt>
          <dd className="text-lg font-semibold tabular-nums">
            <Link to="/tasks" search={{ status: state }} className="hover:text-accent hover:underline">
              {formatCount(count)}
            </Link>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Those with a problem first. */
function Upstreams({ upstreams }: { upstreams: UpstreamList['data'] }): ReactElement {
  if (upstreams.length === 0)
    return (
      <p className="p-4 text-muted">
        No upstreams. Add one to <code>upstreams</code> in the configuration.
      </p>
    );
  const rows = upstreams
    .map((upstream) => ({ name: upstream.name, ...healthOf(upstream) }))
    .toSorted((a, b) => Number(isProblem(b)) - Number(isProblem(a)));
  const hidden = rows.length - MAX_UPSTREAMS;
  return (
    <ul className="divide-y divide-line">
      {rows.slice(0, MAX_UPSTREAMS).map(({ name, tone, text, detail }) => (
        <li key={name} className="flex items-center justify-between gap-4 px-4 py-2.5">
          <Link
            to="/upstreams/$name"
            params={{ name }}
            className="truncate font-medium hover:text-accent hover:underline"
          >
            {name}
          </Link>
          <span className="flex items-center gap-3 text-xs text-muted">
            {detail}
            <Badge tone={tone}>{text}</Badge>
          </span>
        </li>
      ))}
      {hidden > 0 && <li className="px-4 py-2.5 text-xs text-muted">and {formatCount(hidden)} more</li>}
    </ul>
  );
}

function isProblem({ tone }: { tone: string }): boolean {
  return tone === 'bad' || tone === 'warn';
}
