import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ArrowLeft, Zap } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { type Upstream, upstreamsQuery } from '../../api/upstreams.ts';
import { useSession } from '../../app/use-session.ts';
import { Badge } from '../../components/badge.tsx';
import { EmptyState, ErrorNotice, Skeleton } from '../../components/notices.tsx';
import { OperatorsOnly } from '../../components/operators-only.tsx';
import { PageHead, PlainHead } from '../../components/page-head.tsx';
import { PeriodSelect } from '../../components/period-select.tsx';
import { periodOf } from '../../lib/periods.ts';
import { useNow } from '../../lib/use-now.ts';
import { CircuitPanel } from './circuit-panel.tsx';
import { ErrorPanel } from './error-panel.tsx';
import { ModelPanel } from './model-panel.tsx';
import { SidePanels } from './side-panels.tsx';
import { TestDialog } from './test-dialog.tsx';
import { TrafficPanels } from './traffic-panels.tsx';
import { healthOf } from './upstream-health.ts';

const HEALTH_REFRESH_MS = 5_000;
const TRAFFIC_REFRESH_MS = 15_000;
const route = getRouteApi('/upstreams/$name');

/** One upstream: its health, traffic, models, and credentials, and a test call. */
export function UpstreamPage(): ReactElement {
  return (
    <OperatorsOnly title="Upstream">
      <NamedUpstream />
    </OperatorsOnly>
  );
}

function NamedUpstream(): ReactElement {
  const { name } = route.useParams();
  const { period } = route.useSearch();
  const { data, error, refetch } = useQuery({ ...upstreamsQuery, refetchInterval: HEALTH_REFRESH_MS });
  const upstream = data?.data.find((one) => one.name === name);
  return (
    <>
      <Link
        to="/upstreams"
        search={period === undefined ? {} : { period }}
        className="mb-3 inline-flex items-center gap-1.5 text-muted hover:text-text"
      >
        <ArrowLeft aria-hidden className="size-4" /> Upstreams
      </Link>
      {!upstream && <PlainHead title={name} />}
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton className="h-64" />}
      {upstream && <ShownUpstream key={name} upstream={upstream} />}
      {data && !upstream && (
        <EmptyState title="No such upstream">
          <p className="break-all">
            The configuration has no upstream <code>{name}</code>, or a variable of its credential is unset.
          </p>
        </EmptyState>
      )}
    </>
  );
}

function ShownUpstream({ upstream }: { upstream: Upstream }): ReactElement {
  const navigate = route.useNavigate();
  const { role, features } = useSession();
  const { period: periodName } = route.useSearch();
  const period = periodOf(periodName, useNow(TRAFFIC_REFRESH_MS));
  const [isTesting, setTesting] = useState(false);
  const { tone, text } = healthOf(upstream);
  return (
    <>
      <PageHead
        title={
          <span className="flex flex-wrap items-center gap-3 break-all">
            {upstream.name}{' '}
            <span className="text-sm">
              <Badge tone={tone}>{text}</Badge>
            </span>
          </span>
        }
      >
        {features.ledger && (
          <PeriodSelect value={period.name} onChange={(name) => void navigate({ search: { period: name } })} />
        )}
        {role !== 'viewer' && (
          <button type="button" className="button button-primary" onClick={() => setTesting(true)}>
            <Zap aria-hidden className="size-4" /> Test
          </button>
        )}
      </PageHead>
      <div className="flex flex-col gap-4">
        {features.ledger && <TrafficPanels name={upstream.name} period={period} refreshMs={TRAFFIC_REFRESH_MS} />}
        <div className="grid items-start gap-4 lg:grid-cols-[1fr_22rem]">
          <div className="flex min-w-0 flex-col gap-4">
            <CircuitPanel upstream={upstream} />
            {features.ledger && <ErrorPanel name={upstream.name} period={period} />}
            <ModelPanel name={upstream.name} />
          </div>
          <SidePanels upstream={upstream} period={period.name} />
        </div>
      </div>
      <TestDialog upstream={upstream} isOpen={isTesting} onClose={() => setTesting(false)} />
    </>
  );
}
