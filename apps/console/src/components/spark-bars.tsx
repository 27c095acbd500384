import type { ReactElement } from 'react';

export interface SparkBarsProps {
  /** All of each step, e.g. requests per hour. */
  values: readonly number[];
  /** The part of each value that is bad, e.g. errors. */
  bad: readonly number[];
}

const HEIGHT = 20;
const STEP = 4;

/** Small bars over time beside numbers that say the same. SVG attributes need no inline style. */
export function SparkBars({ values, bad }: SparkBarsProps): ReactElement {
  const max = Math.max(...values, 1);
  const heightOf = (value: number): number => (value > 0 ? Math.max(1, (value / max) * HEIGHT) : 0);
  return (
    <svg aria-hidden className="h-5 w-28" preserveAspectRatio="none" viewBox={`0 0 ${values.length * STEP} ${HEIGHT}`}>
      <line x1="0" x2={values.length * STEP} y1={HEIGHT} y2={HEIGHT} className="stroke-line" strokeWidth="1" />
      {values.map((value, at) => {
        const [all, failed] = [heightOf(value), heightOf(Math.min(value, bad[at] ?? 0))];
        return (
          <g key={at}>
            <rect x={at * STEP} width={STEP - 1} y={HEIGHT - all} height={all} className="fill-accent" />
            <rect x={at * STEP} width={STEP - 1} y={HEIGHT - failed} height={failed} className="fill-bad" />
          </g>
        );
      })}
    </svg>
  );
}
