/** Numbers of one thing over time. */
export interface Series {
  /** Milliseconds since the beginning. */
  at: number;
  value: number;
}

/** How a series has gone. */
export interface Verdict {
  /** Of the window after the first tenth, and of the last tenth. */
  first: number;
  last: number;
  /** Of the line through all values after the first tenth. */
  slopePerHour: number;
  isFlat: boolean;
}

/** What growth is none. */
export interface Tolerance {
  /** Part of the first value. */
  share: number;
  /** In the unit of the values. */
  absolute: number;
  /** Which value stands for a window; the lowest where the rest is what has not been collected yet. */
  stands: 'median' | 'lowest';
}

/**
 * Judges whether something has stopped growing: the first tenth is the warm-up and is left out, then the second tenth is
 * compared with the last.
 * @throws when there are too few values to tell
 */
export function judgeSeries(series: readonly Series[], { share, absolute, stands }: Tolerance): Verdict {
  const tenth = Math.floor(series.length / 10);
  if (tenth < 2) throw new Error('Too few samples: at least 20 are needed.');
  const settled = series.slice(tenth);
  const standing = (window: readonly Series[]): number => {
    const values = window.map(({ value }) => value).toSorted((a, b) => a - b);
    return values[stands === 'lowest' ? 0 : Math.floor(values.length / 2)] ?? 0;
  };
  const first = standing(settled.slice(0, tenth));
  const last = standing(settled.slice(-tenth));
  const grown = last - first;
  return { first, last, slopePerHour: slopeOf(settled) * 3_600_000, isFlat: grown < absolute || grown < first * share };
}

/** Least squares; per millisecond. */
function slopeOf(series: readonly Series[]): number {
  const mean = (pick: (one: Series) => number) => series.reduce((sum, one) => sum + pick(one), 0) / series.length;
  const [middle, average] = [mean(({ at }) => at), mean(({ value }) => value)];
  const spread = mean(({ at }) => (at - middle) ** 2);
  return spread === 0 ? 0 : mean(({ at, value }) => (at - middle) * (value - average)) / spread;
}
