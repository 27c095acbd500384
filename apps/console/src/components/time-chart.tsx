import { memo, type ReactElement, useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { formatClock, formatDate } from '../lib/format.ts';

export interface ChartSeries {
  label: string;
  /** A design token, e.g. `--accent`. */
  color: string;
  values: readonly (number | null)[];
}

export interface TimeChartProps {
  /** Describes the chart to screen readers. The numbers should also be in a table or in text. */
  label: string;
  /** Unix seconds, ascending. */
  times: readonly number[];
  series: readonly ChartSeries[];
  formatValue: (value: number) => string;
  heightPx?: number;
  /** Bars on top of each other, the first series at the bottom. Otherwise, they are in front of each other. */
  isStacked?: boolean;
  /** Called with the index of the time below the pointer. */
  onHover?: (at: number | undefined) => void;
  /** Called with the selected period, in Unix seconds, when the user drags over the chart. */
  onSelect?: (start: number, end: number) => void;
}

const FONT = '11px system-ui, sans-serif';
const MIN_AXIS_PX = 56;
const DIGIT_PX = 7;
const AXIS_GAP_PX = 14;

/** Steps of an axis of whole numbers, which would otherwise have fractions below 5. */
const WHOLE_STEPS = Array.from({ length: 13 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();

/** Bars over time. It follows the size of its parent and the theme. It is redrawn if a property changes. */
export const TimeChart = memo(function TimeChart(props: TimeChartProps): ReactElement {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const parent = ref.current;
    if (!parent) return undefined;
    let chart: uPlot | undefined;
    const draw = (): void => {
      chart?.destroy();
      chart = new uPlot(optionsOf(props, parent.clientWidth), dataOf(props), parent);
    };
    const resized = new ResizeObserver(() =>
      chart?.setSize({ width: parent.clientWidth, height: props.heightPx ?? 180 }),
    );
    const themed = new MutationObserver(draw);
    const system = matchMedia('(prefers-color-scheme: dark)');
    draw();
    resized.observe(parent);
    themed.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    system.addEventListener('change', draw);
    return () => {
      resized.disconnect();
      themed.disconnect();
      system.removeEventListener('change', draw);
      chart?.destroy();
    };
  }, [props]);
  return <div ref={ref} role="img" aria-label={props.label} className="min-w-0 overflow-hidden" />;
});

function dataOf({ times, series, isStacked = false }: TimeChartProps): uPlot.AlignedData {
  if (!isStacked) return [[...times], ...series.map(({ values }) => [...values])];
  const sums = times.map(() => 0);
  const stacked = series.map(({ values }) => sums.map((sum, at) => (sums[at] = sum + (values[at] ?? 0))));
  // The highest sums are drawn first, so that the others are in front of them.
  return [[...times], ...stacked.toReversed()];
}

function optionsOf(props: TimeChartProps, width: number): uPlot.Options {
  const { series, formatValue, heightPx = 180, isStacked = false, onSelect, onHover } = props;
  const axis = {
    stroke: token('--muted'),
    font: FONT,
    grid: { stroke: token('--line'), width: 1 },
    ticks: { show: false },
  };
  return {
    width,
    height: heightPx,
    padding: [12, 24, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: onSelect !== undefined, y: false, setScale: false } },
    scales: { x: { range: withRoom }, y: { range: (_chart, _min, max) => [0, max > 0 ? max * 1.1 : 1] } },
    axes: [
      { ...axis, grid: { show: false }, size: 26, values: (_chart, times) => timeLabels(times) },
      {
        ...axis,
        ...(series.every(({ values }) => values.every(isWhole)) && { incrs: WHOLE_STEPS }),
        size: axisWidth,
        values: (_chart, values) => values.map((value) => formatValue(value)),
      },
    ],
    series: [{}, ...(isStacked ? series.toReversed() : series).map(optionsOfSeries)],
    hooks: {
      setCursor: [(chart) => onHover?.(chart.cursor.idx ?? undefined)],
      setSelect: [
        (chart) => {
          const { left, width: selected } = chart.select;
          if (selected > 2) onSelect?.(chart.posToVal(left, 'x'), chart.posToVal(left + selected, 'x'));
        },
      ],
    },
  };
}

function isWhole(value: number | null): boolean {
  return value === null || Number.isInteger(value);
}

/** Returns the pixels that the longest label of an axis needs. Undefined labels are not known yet. */
function axisWidth(_chart: uPlot, labels: string[] | null): number {
  const longest = Math.max(...(labels ?? []).map(({ length }) => length), 0);
  return Math.max(MIN_AXIS_PX, longest * DIGIT_PX + AXIS_GAP_PX);
}

/** The clock, or the date at the start of a day. */
function timeLabels(times: readonly number[]): string[] {
  return times.map((time) => {
    const at = new Date(time * 1_000);
    const isMidnight = at.getHours() === 0 && at.getMinutes() === 0 && at.getSeconds() === 0;
    return isMidnight ? formatDate(time * 1_000) : formatClock(time * 1_000).replace(/:00$/, '');
  });
}

/** Adds half a step at both ends, so that no bar is cut. */
function withRoom(chart: uPlot, min: number, max: number): uPlot.Range.MinMax {
  const [first = 0, second = first] = chart.data[0];
  const room = (second - first) / 2;
  return [min - room, max + room];
}

function optionsOfSeries({ label, color }: ChartSeries): uPlot.Series {
  const bars = uPlot.paths.bars?.({ size: [0.8, 40] });
  return {
    label,
    stroke: token(color),
    fill: token(color),
    width: 0,
    points: { show: false },
    ...(bars && { paths: bars }),
  };
}

/** Returns the color of a design token in the current theme. */
function token(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
