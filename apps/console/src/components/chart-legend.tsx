import type { ReactElement } from 'react';
import { ColorSquare } from './color-square.tsx';
import type { ChartSeries } from './time-chart.tsx';

export interface ChartLegendProps {
  series: readonly ChartSeries[];
  /** Index of the time of which the values are shown. Undefined shows the sums. */
  hovered: number | undefined;
  formatValue: (value: number) => string;
}

/** The names, colors, and values of a chart's series. */
export function ChartLegend({ series, hovered, formatValue }: ChartLegendProps): ReactElement {
  const valueOf = ({ values }: ChartSeries): number =>
    hovered === undefined ? values.reduce<number>((sum, value) => sum + (value ?? 0), 0) : (values[hovered] ?? 0);
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1.5 px-4 pt-2 pb-4 text-xs">
      {series.map((one) => (
        <li key={one.label} className="flex min-w-0 items-center gap-1.5">
          <ColorSquare color={one.color} />
          <span className="max-w-80 truncate" title={one.label}>
            {one.label}
          </span>
          <span className="text-muted tabular-nums">{formatValue(valueOf(one))}</span>
        </li>
      ))}
    </ul>
  );
}
