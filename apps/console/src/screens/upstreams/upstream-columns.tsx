import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { Upstream } from '../../api/upstreams.ts';
import { Badge } from '../../components/badge.tsx';
import type { Column } from '../../components/data-table.tsx';
import { SparkBars } from '../../components/spark-bars.tsx';
import { formatCount, formatDuration, formatPercent } from '../../lib/format.ts';
import type { PeriodName } from '../../lib/periods.ts';
import { healthOf } from './upstream-health.ts';
import type { Traffic } from './upstream-traffic.ts';

export interface UpstreamRow {
  upstream: Upstream;
  /** Undefined while it loads. */
  traffic: Traffic | undefined;
}

/** @param hasLedger whether there are numbers of a period */
export function upstreamColumns(period: PeriodName, hasLedger: boolean): readonly Column<UpstreamRow>[] {
  return [
    {
      title: 'Upstream',
      cell: ({ upstream: { name, kind } }) => (
        <>
          <Link
            to="/upstreams/$name"
            params={{ name }}
            search={{ period }}
            className="font-medium text-accent hover:underline"
          >
            {name}
          </Link>
          <div className="text-xs text-muted">{kind}</div>
        </>
      ),
    },
    { title: 'Health', cell: ({ upstream }) => <Health upstream={upstream} /> },
    ...(hasLedger ? trafficColumns(period) : []),
    {
      title: 'Models',
      align: 'end',
      isMinor: true,
      cell: ({ upstream: { name, models } }) => (
        <Link to="/models" search={{ upstream: name }} className="hover:text-accent hover:underline">
          {formatCount(models.length)}
        </Link>
      ),
    },
    {
      title: 'Credentials',
      isMinor: true,
      cell: ({ upstream: { credentials } }) => credentials.join(', ') || <span className="text-muted">none</span>,
    },
  ];
}

function trafficColumns(period: PeriodName): readonly Column<UpstreamRow>[] {
  return [
    { title: 'Activity', isMinor: true, cell: ({ traffic }) => traffic && <Activity traffic={traffic} /> },
    {
      title: 'Requests',
      align: 'end',
      isMinor: true,
      cell: ({ upstream: { name }, traffic }) => (
        <Link to="/requests" search={{ period, upstream: name }} className="hover:text-accent hover:underline">
          {traffic ? formatCount(traffic.calls) : '…'}
        </Link>
      ),
    },
    {
      title: 'Errors',
      align: 'end',
      cell: ({ upstream: { name }, traffic }) =>
        traffic && traffic.errors > 0 ? (
          <Link
            to="/requests"
            search={{ period, upstream: name, status: 'error' }}
            className="text-bad hover:underline"
          >
            {formatPercent(traffic.errors, traffic.calls)}
          </Link>
        ) : (
          <span className="text-muted">{traffic && traffic.calls > 0 ? '0%' : '–'}</span>
        ),
    },
    {
      title: 'Mean duration',
      align: 'end',
      isMinor: true,
      cell: ({ traffic }) => (traffic?.meanMs === undefined ? '–' : formatDuration(traffic.meanMs)),
    },
  ];
}

function Activity({ traffic: { overTime } }: { traffic: Traffic }): ReactElement {
  return <SparkBars values={overTime.calls} bad={overTime.errors} />;
}

function Health({ upstream }: { upstream: Upstream }): ReactElement {
  const { tone, text, detail } = healthOf(upstream);
  return (
    <>
      <Badge tone={tone}>{text}</Badge>
      {detail !== undefined && <div className="text-xs whitespace-normal text-muted">{detail}</div>}
    </>
  );
}
