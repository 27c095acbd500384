import type { UsageList } from '@sluice/api/responses';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useMemo } from 'react';
import { ColorSquare } from '../../components/color-square.tsx';
import { Skeleton } from '../../components/notices.tsx';
import { Section } from '../../components/page-head.tsx';
import { TimeChart } from '../../components/time-chart.tsx';
import { formatCost, formatCount } from '../../lib/format.ts';
import type { Period } from '../../lib/periods.ts';

const UNIT_S = { hour: 3_600, day: 86_400 } as const;

/** Requests with tasks, and cost over time. To drag over a chart opens the requests of the selected period. */
export function RequestsChart({ usage, period }: { usage: UsageList | undefined; period: Period }): ReactElement {
  const { start, end, unit } = period;
  const navigate = useNavigate();
  const shown = useMemo(() => {
    if (!usage) return undefined;
    const step = UNIT_S[unit];
    // A bar is drawn around its time.
    const onSelect = (from: number, to: number): void => {
      const first = Math.ceil(from / step) * step;
      const last = Math.max(first, Math.floor(to / step) * step);
      void navigate({ to: '/requests', search: { start: String(first), end: String(last + step) } });
    };
    const { requests, cost } = seriesOf(usage, { start, end, unit });
    return { requests: { ...requests, onSelect }, cost: { ...cost, onSelect } };
  }, [usage, start, end, unit, navigate]);
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Section title={`Requests and tasks per ${unit}`} aside={<Legend />}>
        {shown ? <TimeChart {...shown.requests} /> : <Skeleton className="m-4 h-40" />}
      </Section>
      <Section title={`Cost per ${unit}`} aside="US dollars">
        {shown ? <TimeChart {...shown.cost} /> : <Skeleton className="m-4 h-40" />}
      </Section>
    </div>
  );
}

function Legend(): ReactElement {
  return (
    <span className="flex gap-3">
      <span className="flex items-center gap-1.5">
        <ColorSquare color="--accent" /> all
      </span>
      <span className="flex items-center gap-1.5">
        <ColorSquare color="--bad" /> errors
      </span>
    </span>
  );
}

function seriesOf({ data }: UsageList, { start, end, unit }: Omit<Period, 'name'>) {
  const step = UNIT_S[unit];
  const first = start - (start % step);
  const times = Array.from({ length: Math.ceil((end - first) / step) }, (_, at) => first + at * step);
  const rows = new Map(data.map((row) => [Date.parse(row[unit] ?? '') / 1_000, row]));
  const values = (field: 'requests' | 'tasks' | 'errors' | 'cost_usd'): number[] =>
    times.map((at) => rows.get(at)?.[field] ?? 0);
  const tasks = values('tasks');
  return {
    requests: {
      label: `Requests, tasks, and errors per ${unit}`,
      times,
      series: [
        {
          label: 'Requests and tasks',
          color: '--accent',
          values: values('requests').map((count, at) => count + (tasks[at] ?? 0)),
        },
        { label: 'Errors', color: '--bad', values: values('errors') },
      ],
      formatValue: formatCount,
    },
    cost: {
      label: `Cost per ${unit}`,
      times,
      series: [{ label: 'Cost', color: '--accent', values: values('cost_usd') }],
      formatValue: formatCost,
    },
  };
}
