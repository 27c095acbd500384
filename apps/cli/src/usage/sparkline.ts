const BARS = '▁▂▃▄▅▆▇█';
/** A month, or thirty days that begin during a day. */
const MAX_COLUMNS = 31;
const BAR_COLUMNS = 20;

/** Draws values as columns, scaled to their maximum. Adjacent values are added if there are too many. */
export function sparkline(values: readonly number[]): string {
  const step = Math.ceil(values.length / MAX_COLUMNS);
  const columns = Array.from({ length: Math.ceil(values.length / step) }, (_, at) =>
    values.slice(at * step, (at + 1) * step).reduce((sum, value) => sum + value, 0),
  );
  const max = Math.max(...columns);
  // Only zero has the lowest column, so that a small value can be seen.
  return columns.map((value) => BARS[value <= 0 ? 0 : Math.max(1, Math.round((value / max) * 7))]).join('');
}

/** Draws a horizontal bar. */
export function bar(value: number, max: number): string {
  const length = max <= 0 ? 0 : Math.round((value / max) * BAR_COLUMNS);
  return value > 0 ? '█'.repeat(Math.max(1, length)) : '';
}
