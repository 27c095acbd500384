import type { RequestHistogram as Histogram } from '@sluice/api/responses';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { type ReactElement, useEffect, useMemo, useRef } from 'react';
import { histogramQuery } from '../../api/requests.ts';
import { useRefresh } from '../../app/use-live.ts';
import { ColorSquare } from '../../components/color-square.tsx';
import { ErrorNotice, Skeleton } from '../../components/notices.tsx';
import { Section } from '../../components/page-head.tsx';
import { TimeChart } from '../../components/time-chart.tsx';
import { formatCount, formatNumberOf, formatTime } from '../../lib/format.ts';
import type { TimeRange } from '../../lib/time-range.ts';

export interface RequestHistogramProps {
  filters: Readonly<Record<string, string | undefined>>;
  range: TimeRange;
  /** Sets the period, in Unix seconds. Undefined goes back to the period that was selected before. */
  onSelect: (selected: { start: number; end: number } | undefined) => void;
}

const REFRESH_MS = 15_000;
const HEIGHT_PX = 130;

/** The entries of the list over time. To drag over the chart selects a period. */
export function RequestHistogram({ filters, range, onSelect }: RequestHistogramProps): ReactElement {
  const { start, end, isFixed } = range;
  const refreshMs = useRefresh(REFRESH_MS);
  const { data, error, refetch } = useQuery({
    ...histogramQuery({ filters, start, end }),
    refetchInterval: isFixed ? false : refreshMs,
    placeholderData: keepPreviousData,
  });
  // The chart is redrawn if a property changes, so this function must stay the same.
  const latest = useRef(onSelect);
  useEffect(() => {
    latest.current = onSelect;
  });
  const chart = useMemo(
    () => data && { ...chartOf(data), onSelect: (from: number, to: number) => latest.current(barsIn(data, from, to)) },
    [data],
  );
  return (
    <Section title="Over time" aside={<Aside data={data} range={range} onClear={() => onSelect(undefined)} />}>
      {error && !data && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!error && !chart && <Skeleton className="m-4 h-20" />}
      {chart && <TimeChart {...chart} />}
    </Section>
  );
}

function Aside({
  data,
  range: { start, end, isFixed },
  onClear,
}: {
  data: Histogram | undefined;
  range: TimeRange;
  onClear: () => void;
}): ReactElement {
  const sum = (field: 'entries' | 'errors'): number => data?.data.reduce((total, bar) => total + bar[field], 0) ?? 0;
  return (
    <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
      {data && (
        <>
          <span className="flex items-center gap-1.5">
            <ColorSquare color="--accent" />
            {formatNumberOf(sum('entries'), 'entry', 'entries')}
          </span>
          <span className="flex items-center gap-1.5">
            <ColorSquare color="--bad" /> {formatNumberOf(sum('errors'), 'error')}
          </span>
        </>
      )}
      {isFixed ? (
        <button type="button" className="button h-6 gap-1 px-2 text-xs" onClick={onClear}>
          {formatTime(start * 1_000)} – {formatTime(end * 1_000)}
          <X aria-hidden className="size-3.5" />
          <span className="sr-only">Clear the selected period</span>
        </button>
      ) : (
        <span className="max-sm:hidden">Drag to select a period</span>
      )}
    </span>
  );
}

function timesOf({ start_time: start, end_time: end, step_seconds: step }: Histogram): number[] {
  return Array.from({ length: Math.max(1, Math.ceil((end - start) / step)) }, (_, at) => start + at * step);
}

function chartOf(histogram: Histogram) {
  const times = timesOf(histogram);
  const bars = new Map(histogram.data.map((bar) => [bar.time, bar]));
  const values = (field: 'entries' | 'errors'): number[] => times.map((time) => bars.get(time)?.[field] ?? 0);
  return {
    label: 'Requests and errors over time. The list below has the same entries.',
    times,
    series: [
      { label: 'Entries', color: '--accent', values: values('entries') },
      { label: 'Errors', color: '--bad', values: values('errors') },
    ],
    formatValue: formatCount,
    heightPx: HEIGHT_PX,
  };
}

/** Returns the period of the bars whose center is selected, because a bar is drawn around its time. */
function barsIn(histogram: Histogram, from: number, to: number): { start: number; end: number } {
  const { step_seconds: step, start_time: first } = histogram;
  const times = timesOf(histogram);
  const selected = times.filter((time) => time >= from && time <= to);
  const nearest = first + Math.max(0, Math.round((from - first) / step)) * step;
  const start = selected.at(0) ?? nearest;
  return { start, end: (selected.at(-1) ?? start) + step };
}
