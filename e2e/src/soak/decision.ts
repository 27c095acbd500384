/** Numbers of one thing over time. */
export interface Series {
  /** Milliseconds since the beginning. */
  at: number;
  value: number;
}

/** Resident memory of processes under load grew for so long, and then no more. */
const WARM_UP_MS = 8 * 60_000;

/** How a series has gone. */
export interface Decision {
  /** The median of the tenth after the warm-up, and of the last tenth. */
  first: number;
  last: number;
  /** Of the line through all values after the warm-up. */
  slopePerHour: number;
  isFlat: boolean;
}

/** Growth that is tolerated. */
export interface Tolerance {
  /** Part of the first value. */
  share: number;
  /** In the unit of the values. */
  absolute: number;
}

/**
 * Judges whether something has stopped growing: the warm-up is left out, then the next tenth is compared with the last.
 * @throws when there are too few values to tell
 */
export function judgeSeries(series: readonly Series[], { share, absolute }: Tolerance): Decision {
  const tenth = Math.floor(series.length / 10);
  if (tenth < 2) throw new Error('Too few samples: at least 20 are needed.');
  const settled = series.slice(Math.max(tenth, warmUpOf(series)));
  const standing = (window: readonly Series[]): number => {
    const values = window.map(({ value }) => value).toSorted((a, b) => a - b);
    return values[Math.floor(values.length / 2)] ?? 0;
  };
  const first = standing(settled.slice(0, tenth));
  const last = standing(settled.slice(-tenth));
  const grown = last - first;
  return { first, last, slopePerHour: slopeOf(settled) * 3_600_000, isFlat: grown < absolute || grown < first * share };
}

/** How many values belong to the minutes in which V8 finds out how large a heap serves it, of short runs at most half. */
function warmUpOf(series: readonly Series[]): number {
  const warm = series.findIndex(({ at }) => at >= WARM_UP_MS);
  const half = Math.floor(series.length / 2);
  return warm === -1 ? half : Math.min(warm, half);
}

/** Least squares; per millisecond. */
function slopeOf(series: readonly Series[]): number {
  const mean = (pick: (one: Series) => number) => series.reduce((sum, one) => sum + pick(one), 0) / series.length;
  const [middle, average] = [mean(({ at }) => at), mean(({ value }) => value)];
  const spread = mean(({ at }) => (at - middle) ** 2);
  return spread === 0 ? 0 : mean(({ at, value }) => (at - middle) * (value - average)) / spread;
}
