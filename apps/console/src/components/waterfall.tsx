import type { ReactElement, ReactNode } from 'react';
import { formatDuration } from '../lib/format.ts';
import type { Tone } from './badge.tsx';

export interface Span {
  id: string;
  label: ReactNode;
  detail?: ReactNode;
  /** Milliseconds since the start of the whole. */
  startMs: number;
  durationMs: number;
  tone: Tone;
}

const FILLS: Readonly<Record<Tone, string>> = {
  ok: 'fill-ok',
  warn: 'fill-warn',
  bad: 'fill-bad',
  accent: 'fill-accent',
  neutral: 'fill-muted',
};
const MIN_PERCENT = 0.6;

/** Spans of time below each other, on one scale. SVG attributes place the bars, because the CSP forbids inline styles. */
export function Waterfall({ spans, totalMs }: { spans: readonly Span[]; totalMs: number }): ReactElement {
  const scale = (ms: number): number => (100 * ms) / Math.max(totalMs, 1);
  return (
    <ol className="divide-y divide-line">
      {spans.map(({ id, label, detail, startMs, durationMs, tone }) => (
        <li key={id} className="grid items-center gap-x-4 gap-y-1 px-4 py-2.5 sm:grid-cols-[minmax(0,16rem)_1fr_5rem]">
          <div className="min-w-0">
            <div className="truncate font-medium">{label}</div>
            {detail !== undefined && <div className="text-xs text-muted">{detail}</div>}
          </div>
          <svg aria-hidden className="h-3 w-full rounded bg-raised" preserveAspectRatio="none" viewBox="0 0 100 1">
            <rect
              x={scale(startMs)}
              width={Math.max(scale(durationMs), MIN_PERCENT)}
              height="1"
              className={FILLS[tone]}
            />
          </svg>
          <div className="text-right text-muted tabular-nums max-sm:text-left">{formatDuration(durationMs)}</div>
        </li>
      ))}
    </ol>
  );
}
