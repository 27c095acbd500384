import { periodOf, type PeriodName, PERIOD_PARAMS } from './periods.ts';

/** Parameters of a period in the URL that the user can also select in a chart. */
export const RANGE_PARAMS = [...PERIOD_PARAMS, 'start', 'end'] as const;

export type RangeSearch = { [name in (typeof RANGE_PARAMS)[number]]?: string };

export interface TimeRange {
  name: PeriodName;
  /** Unix seconds; `end` is exclusive. */
  start: number;
  end: number;
  /** Whether the range ends in the past, and so does not move with the time. */
  isFixed: boolean;
}

/** @param nowMs Unix milliseconds */
export function rangeOf(search: RangeSearch, nowMs: number): TimeRange {
  const { name, start, end } = periodOf(search.period, nowMs);
  const [from, until] = [secondsOf(search.start), secondsOf(search.end)];
  const isFixed = from !== undefined && until !== undefined && from < until;
  return isFixed ? { name, start: from, end: until, isFixed } : { name, start, end, isFixed };
}

/** Returns a time as the value of a `datetime-local` field. @param seconds Unix seconds */
export function fieldOfTime(seconds: number, precision: 'seconds' | 'minutes' = 'seconds'): string {
  const at = new Date(seconds * 1_000);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000)
    .toISOString()
    .slice(0, precision === 'minutes' ? 16 : 19);
}

/** Returns Unix seconds. Undefined for an empty or incomplete field. */
export function timeOfField(text: string): number | undefined {
  const at = Date.parse(text);
  return Number.isNaN(at) || at < 0 ? undefined : Math.floor(at / 1_000);
}

/** Sets one end of a range. If the ends would change places, the other end moves along. */
export function withEnd(
  { start, end }: Pick<TimeRange, 'start' | 'end'>,
  name: 'start' | 'end',
  at: number,
): { start: number; end: number } {
  const length = end - start;
  if (name === 'start') return { start: at, end: at < end ? end : at + length };
  return { start: at > start ? start : Math.max(0, at - length), end: at };
}

function secondsOf(text = ''): number | undefined {
  return /^\d{1,10}$/.test(text) ? Number(text) : undefined;
}
