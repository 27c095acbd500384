export interface Point {
  /** Milliseconds since the start. */
  at: number;
  value: number;
}

/** Resident memory under load grows during this time and then stabilizes. */
const WARM_UP_MS = 8 * 60_000;

export interface Decision {
  /** `first` is the median of the first tenth of the points after the warm-up; `last` is that of the last tenth. */
  first: number;
  last: number;
  /** Slope of the least-squares line after the warm-up. */
  slopePerHour: number;
  isFlat: boolean;
}

export interface Tolerance {
  /** Allowed growth as a fraction of the first value. */
  share: number;
  /** Allowed growth in the same unit as the values. */
  absolute: number;
}

/**
 * Decides whether a value still grows after the warm-up.
 * @throws if there are too few points
 */
export function judgeSeries(series: readonly Point[], { share, absolute }: Tolerance): Decision {
  const tenth = Math.floor(series.length / 10);
  if (tenth < 2) throw new Error('Too few samples: at least 20 are needed.');
  const steady = series.slice(Math.max(tenth, warmUpOf(series)));
  const medianOf = (window: readonly Point[]): number => {
    const values = window.map(({ value }) => value).toSorted((a, b) => a - b);
    return values[Math.floor(values.length / 2)] ?? 0;
  };
  const first = medianOf(steady.slice(0, tenth));
  const last = medianOf(steady.slice(-tenth));
  const growth = last - first;
  return {
    first,
    last,
    slopePerHour: slopeOf(steady) * 3_600_000,
    isFlat: growth < absolute || growth < first * share,
  };
}

/** Returns the number of points in the warm-up, while V8 adapts its heap size. It is at most half of the points. */
function warmUpOf(series: readonly Point[]): number {
  const warm = series.findIndex(({ at }) => at >= WARM_UP_MS);
  const half = Math.floor(series.length / 2);
  return warm === -1 ? half : Math.min(warm, half);
}

/** Returns the slope of the least-squares line, per millisecond. */
function slopeOf(series: readonly Point[]): number {
  const mean = (pick: (one: Point) => number) => series.reduce((sum, one) => sum + pick(one), 0) / series.length;
  const [middle, average] = [mean(({ at }) => at), mean(({ value }) => value)];
  const spread = mean(({ at }) => (at - middle) ** 2);
  return spread === 0 ? 0 : mean(({ at, value }) => (at - middle) * (value - average)) / spread;
}
