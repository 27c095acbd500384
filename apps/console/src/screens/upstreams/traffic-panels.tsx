import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactElement, useMemo } from 'react';
import { latencyQuery } from '../../api/usage.ts';
import { ColorSquare } from '../../components/color-square.tsx';
import { ErrorNotice, Skeleton } from '../../components/notices.tsx';
import { Section } from '../../components/page-head.tsx';
import { StatTile } from '../../components/stat-tile.tsx';
import { TimeChart, type TimeChartProps } from '../../components/time-chart.tsx';
import { formatCount, formatDuration, formatPercent } from '../../lib/format.ts';
import type { Period } from '../../lib/periods.ts';
import { type Traffic, trafficOf, trafficQuery } from './upstream-traffic.ts';

export interface TrafficPanelsProps {
  /** The upstream. */
  name: string;
  period: Period;
  refreshMs: number;
}

/** Requests, errors, and latency of an upstream, as numbers and over time. */
export function TrafficPanels({ name, period, refreshMs }: TrafficPanelsProps): ReactElement {
  const shown = { refetchInterval: refreshMs, placeholderData: keepPreviousData };
  const usage = useQuery({ ...trafficQuery(period, name), ...shown });
  const { start, end, unit } = period;
  const rows = usage.data?.data;
  const traffic = useMemo(
    () => rows && trafficOf(rows, name, { name: period.name, start, end, unit }),
    [rows, name, period.name, start, end, unit],
  );
  if (usage.error && !usage.data) return <ErrorNotice error={usage.error} onRetry={() => void usage.refetch()} />;
  return (
    <>
      <Tiles name={name} period={period} refreshMs={refreshMs} traffic={traffic} />
      <Charts traffic={traffic} unit={unit} />
    </>
  );
}

function Tiles({
  name,
  period,
  refreshMs,
  traffic,
}: TrafficPanelsProps & { traffic: Traffic | undefined }): ReactElement {
  const { data: latency } = useQuery({
    ...latencyQuery(period, { upstream: name }),
    refetchInterval: refreshMs,
    placeholderData: keepPreviousData,
  });
  const list = (filters: Record<string, string>) =>
    ({ to: '/requests', search: { period: period.name, upstream: name, ...filters } }) as const;
  const slow = (ms: number | undefined) =>
    list({ status: 'ok', ...(ms !== undefined && { min_duration_ms: String(Math.floor(ms)) }) });
  const first = latency?.first_event_ms;
  const complete = latency?.duration_ms;
  const hasOnlyTasks = traffic !== undefined && traffic.calls > traffic.errors;
  const noLatency = hasOnlyTasks ? 'Tasks are not counted' : 'No successful requests';
  const isBad = traffic !== undefined && traffic.errors > 0;
  return (
    <div className="grid grid-cols-2 gap-3 xl:grid-cols-4">
      <StatTile
        label="Requests"
        value={traffic && formatCount(traffic.calls)}
        detail={
          traffic?.meanMs === undefined ? 'None in this period' : `Mean duration ${formatDuration(traffic.meanMs)}`
        }
        link={list({})}
      />
      <StatTile
        label="Errors"
        value={traffic && formatCount(traffic.errors)}
        detail={traffic && `${formatPercent(traffic.errors, traffic.calls)} of requests`}
        tone={isBad ? 'bad' : 'normal'}
        link={list({ status: 'error' })}
      />
      <StatTile
        label="First event, p95"
        value={latency && (first ? formatDuration(first.p95) : '–')}
        detail={first ? `p50: ${formatDuration(first.p50)}` : noLatency}
        link={slow(first?.p95)}
      />
      <StatTile
        label="Complete response, p95"
        value={latency && (complete ? formatDuration(complete.p95) : '–')}
        detail={complete ? `p50: ${formatDuration(complete.p50)}` : noLatency}
        link={slow(complete?.p95)}
      />
    </div>
  );
}

function Charts({ traffic, unit }: { traffic: Traffic | undefined; unit: Period['unit'] }): ReactElement {
  const charts = useMemo(() => traffic && chartsOf(traffic, unit), [traffic, unit]);
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Section
        title={`Requests per ${unit}`}
        aside={
          <span className="flex gap-3">
            <LegendItem color="--accent" text="all" />
            <LegendItem color="--bad" text="errors" />
          </span>
        }
      >
        <Chart isEmpty={traffic?.calls === 0} chart={charts?.calls} />
      </Section>
      <Section title={`Mean duration per ${unit}`} aside="Until the end of the response">
        <Chart isEmpty={traffic?.calls === 0} chart={charts?.duration} />
      </Section>
    </div>
  );
}

/** @param chart undefined while it loads */
function Chart({ isEmpty, chart }: { isEmpty: boolean; chart: TimeChartProps | undefined }): ReactElement {
  if (isEmpty) return <p className="p-4 text-muted">No requests in this period. Select a longer one.</p>;
  return chart ? <TimeChart {...chart} /> : <Skeleton className="m-4 h-40" />;
}

function LegendItem({ color, text }: { color: string; text: string }): ReactElement {
  return (
    <span className="flex items-center gap-1.5">
      <ColorSquare color={color} /> {text}
    </span>
  );
}

function chartsOf(
  { overTime: { times, calls, errors, meanMs } }: Traffic,
  unit: Period['unit'],
): Record<'calls' | 'duration', TimeChartProps> {
  return {
    calls: {
      label: `Requests and errors per ${unit}`,
      times,
      series: [
        { label: 'Requests', color: '--accent', values: calls },
        { label: 'Errors', color: '--bad', values: errors },
      ],
      formatValue: formatCount,
    },
    duration: {
      label: `Mean duration per ${unit}`,
      times,
      series: [{ label: 'Mean duration', color: '--accent', values: meanMs }],
      formatValue: formatDuration,
    },
  };
}
