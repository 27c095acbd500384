import type { LocalTime } from './local-time.ts';
import { ROLLUP_HOURS, type RollupUnit } from './columns.ts';
import { HOUR_MS } from './stored-entry.ts';

const { day: DAY_HOURS } = ROLLUP_HOURS;

/** Full hours, days, or weeks. Day `n` has the hours from `base + 24 * n` on. */
export interface RollupSlice {
  from: 'rollup';
  unit: RollupUnit;
  /** Unix hours; `end` is exclusive. */
  start: number;
  end: number;
  /** It can be before `start`. */
  base: number;
  days: string[];
}

/** A part of an hour, all of which is in one day. */
export interface EntriesSlice {
  from: 'entries';
  /** Unix milliseconds; `end` is exclusive. */
  start: number;
  end: number;
  day: string;
}

export interface SlicesOptions {
  start: number;
  end: number;
  /** Splits at the days of a time zone. */
  days: LocalTime | undefined;
  /** Units of the rollups that suffice, smallest first. Days also need a day of the query that is a day in UTC. */
  units: readonly RollupUnit[];
  /** A full hour. Older entries are deleted, so that there are only full hours. */
  entriesFrom: number;
}

/**
 * Splits a range into full hours, which rollups contain, and parts of hours, for which entries must be read. An hour
 * without entries belongs to the day and to the range in which it starts.
 */
export function usageSlices(options: SlicesOptions): (RollupSlice | EntriesSlice)[] {
  const { entriesFrom } = options;
  const snap = (at: number) => (at < entriesFrom ? Math.ceil(at / HOUR_MS) * HOUR_MS : at);
  const parts: EntriesSlice[] = [];
  const rollups: RollupSlice[] = [];
  const addEntries = (start: number, end: number, day: string) => {
    if (start < end) parts.push({ from: 'entries', start, end, day });
  };
  for (const { start: at, end: until, day } of buckets(options)) {
    const [start, end] = [snap(at), snap(until)];
    const [first, last] = [Math.ceil(start / HOUR_MS), Math.floor(end / HOUR_MS)];
    if (first > last) {
      addEntries(start, end, day);
      continue;
    }
    addEntries(start, first * HOUR_MS, day);
    if (first < last) addHours(rollups, first, last, day);
    addEntries(last * HOUR_MS, end, day);
  }
  const { days, units } = options;
  const larger = units.filter((unit) => unit !== 'hour');
  const split = (slice: RollupSlice) => (days && slice.base % DAY_HOURS !== 0 ? [slice] : withUnits(slice, larger));
  return [...rollups.flatMap(split), ...parts];
}

/** Replaces the full days in UTC, and then the full weeks of them. */
function withUnits(slice: RollupSlice, [unit, ...larger]: readonly RollupUnit[]): RollupSlice[] {
  if (unit === undefined) return [slice];
  const hours = ROLLUP_HOURS[unit];
  const first = Math.ceil(slice.start / hours) * hours;
  const last = Math.floor(slice.end / hours) * hours;
  if (first >= last) return [slice];
  const sides: RollupSlice[] = [
    { ...slice, end: first },
    { ...slice, start: last },
  ];
  const middle = withUnits({ ...slice, unit, start: first, end: last }, larger);
  return [...middle, ...sides.filter(({ start, end }) => start < end)];
}

/** Adds the hours to the last slice if they continue it, so that one statement reads many days. */
function addHours(slices: RollupSlice[], start: number, end: number, day: string): void {
  const last = slices.at(-1);
  const isNext = last?.end === start && start === last.base + last.days.length * DAY_HOURS;
  if (isNext && end - start <= DAY_HOURS) {
    last.end = end;
    last.days.push(day);
    return;
  }
  if (end - start <= DAY_HOURS)
    slices.push({ from: 'rollup', unit: 'hour', start, end, base: end - DAY_HOURS, days: [day] });
  // A day of 25 hours has its last hour in the next 24 hours from `base`.
  else slices.push({ from: 'rollup', unit: 'hour', start, end, base: start, days: [day, day] });
}

function* buckets({ start, end, days }: SlicesOptions): Generator<{ start: number; end: number; day: string }> {
  if (!days) {
    yield { start, end, day: '' };
    return;
  }
  for (let at = start; at < end;) {
    const next = Math.min(days.nextDay(at), end);
    yield { start: at, end: next, day: days.date(at) };
    at = next;
  }
}
