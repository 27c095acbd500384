/** Returns the value that is greater than a fraction `p` (0–1) of the values. Returns 0 if there are no values. */
export function percentile(values: readonly number[], p: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))] ?? 0;
}

/** Returns 0 if there are no values. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

export interface Sample {
  x: number;
  y: number;
}

/** Returns the slope of the least-squares line, in units of y per unit of x. */
export function slope(samples: readonly Sample[]): number {
  const meanX = mean(samples.map(({ x }) => x));
  const meanY = mean(samples.map(({ y }) => y));
  const covariance = mean(samples.map(({ x, y }) => (x - meanX) * (y - meanY)));
  const variance = mean(samples.map(({ x }) => (x - meanX) ** 2));
  return variance === 0 ? 0 : covariance / variance;
}

/** The median and the tail percentiles of a set of delays, in milliseconds. */
export interface Spread {
  count: number;
  p50: number;
  p99: number;
}

export function spreadOf(values: readonly number[]): Spread {
  return { count: values.length, p50: percentile(values, 0.5), p99: percentile(values, 0.99) };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
