import type { UsageList } from '@sluice/api/responses';
import { type ReactElement, useMemo } from 'react';
import { Skeleton } from '../../components/notices.tsx';
import { Section } from '../../components/page-head.tsx';
import { TimeChart } from '../../components/time-chart.tsx';
import { formatCost, formatCount } from '../../lib/format.ts';
import type { Period } from '../../lib/periods.ts';

const UNIT_S = { hour: 3_600, day: 86_400 } as const;

/** Requests and cost over time. */
export function RequestsChart({ usage, period }: { usage: UsageList | undefined; period: Period }): ReactElement {
  const { start, end, unit } = period;
  const shown = useMemo(() => usage && seriesOf(usage, { start, end, unit }), [usage, start, end, unit]);
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Section title={`Requests per ${unit}`} aside={<Legend />}>
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
        <span aria-hidden className="size-2 rounded-sm bg-accent" /> all
      </span>
      <span className="flex items-center gap-1.5">
        <span aria-hidden className="size-2 rounded-sm bg-bad" /> errors
      </span>
    </span>
  );
}

function seriesOf({ data }: UsageList, { start, end, unit }: Omit<Period, 'name'>) {
  const step = UNIT_S[unit];
  const first = start - (start % step);
  const times = Array.from({ length: Math.ceil((end - first) / step) }, (_, at) => first + at * step);
  const rows = new Map(data.map((row) => [Date.parse(row[unit] ?? '') / 1_000, row]));
  const values = (field: 'requests' | 'errors' | 'cost_usd'): number[] => times.map((at) => rows.get(at)?.[field] ?? 0);
  return {
    requests: {
      label: `Requests and errors per ${unit}`,
      times,
      series: [
        { label: 'Requests', color: '--accent', values: values('requests') },
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
