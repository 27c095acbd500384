import { wallClock } from '../time/wall-clock.ts';

/** Returns the canonical name of a time zone (e.g. `Europe/Berlin`), or undefined if it is unknown. */
export function knownTimeZone(name: string): string | undefined {
  // Offsets such as `+01:00` are no names, although `Intl` accepts them.
  if (!/^[A-Za-z]/.test(name)) return undefined;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** Returns the date at a moment in a time zone, as `YYYY-MM-DD`. */
export function dateOf(at: number, timeZone: string): string {
  return new Date(wallClock(timeZone)(at)).toISOString().slice(0, 10);
}

/** Returns the time in a time zone, as `YYYY-MM-DD HH:MM`. */
export function minuteOf(at: number, timeZone: string): string {
  return new Date(wallClock(timeZone)(at)).toISOString().slice(0, 16).replace('T', ' ');
}

/** Returns the first moment of the day that contains `at`, in a time zone. Times are in Unix milliseconds. */
export function startOfDay(at: number, timeZone: string, daysBefore = 0): number {
  const day = new Date(wallClock(timeZone)(at));
  return startOfDate(Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate() - daysBefore), timeZone);
}

/** @param date midnight in UTC of the requested date */
export function startOfDate(date: number, timeZone: string): number {
  // The second pass corrects the offset if it changes between both midnights.
  const guess = date - offsetAt(date, timeZone);
  const midnight = date - offsetAt(guess, timeZone);
  // Some zones skip the hour after midnight (e.g. Chile in spring), so the day begins after it. West of Greenwich, the
  // second pass would end in the day before.
  return Date.parse(dateOf(midnight, timeZone)) < date ? guess : midnight;
}

function offsetAt(at: number, timeZone: string): number {
  return wallClock(timeZone)(at) - Math.floor(at / 1_000) * 1_000;
}
