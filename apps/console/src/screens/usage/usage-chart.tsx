import { type ReactElement, useMemo, useState } from 'react';
import { Skeleton } from '../../components/notices.tsx';
import { Section } from '../../components/page-head.tsx';
import { ChartLegend } from '../../components/chart-legend.tsx';
import { type ChartSeries, TimeChart } from '../../components/time-chart.tsx';
import { formatTime } from '../../lib/format.ts';
import type { UsageMetric } from './usage-metrics.ts';

export interface UsageChartProps {
  /** Undefined while it loads. */
  chart: { times: number[]; series: ChartSeries[] } | undefined;
  metric: UsageMetric;
  unit: 'hour' | 'day';
}

/** Stacked bars, with a legend that shows the values below the pointer. */
export function UsageChart({ chart, metric, unit }: UsageChartProps): ReactElement {
  const [hovered, setHovered] = useState<number>();
  const title = `${metric.title} per ${unit}`;
  const drawn = useMemo(() => chart && { ...chart, label: title, formatValue: metric.format }, [chart, title, metric]);
  const at = hovered === undefined ? undefined : chart?.times[hovered];
  return (
    <Section title={title} aside={at === undefined ? `Sums of each ${unit} in UTC` : formatTime(at * 1_000)}>
      {drawn ? (
        <>
          <TimeChart {...drawn} isStacked heightPx={240} onHover={setHovered} />
          <ChartLegend series={drawn.series} hovered={hovered} formatValue={metric.format} />
        </>
      ) : (
        <Skeleton className="m-4 h-56" />
      )}
    </Section>
  );
}
