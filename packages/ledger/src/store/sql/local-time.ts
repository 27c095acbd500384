import { wallClock } from '../../time/wall-clock.ts';

const HOUR = 3_600_000;
const SECOND = 1_000;

/** Dates and hours of a time zone. */
export interface LocalTime {
  /** `YYYY-MM-DD`. */
  date(at: number): string;
  /** RFC 3339 with the offset of the zone. */
  timestamp(at: number): string;
  /** The start of the day after the day of `at`. */
  nextDay(at: number): number;
}

/** @throws RangeError if the zone is unknown */
export function localTime(timeZone: string): LocalTime {
  const wallTime = wallClock(timeZone);
  const date = (at: number) => new Date(wallTime(at)).toISOString().slice(0, 10);

  return {
    date,
    timestamp(at) {
      const wall = wallTime(at);
      const text = new Date(wall).toISOString().slice(0, 19);
      const minutes = Math.round((wall - at) / 60_000);
      if (minutes === 0) return `${text}Z`;
      return `${text}${minutes < 0 ? '-' : '+'}${two(Math.trunc(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
    },
    nextDay(at) {
      const today = date(at);
      const wall = wallTime(at);
      // Exact unless the offset changes today.
      const midnight = Math.floor(at / SECOND) * SECOND + Date.UTC(...dayAfter(wall)) - wall;
      if (date(midnight) !== today && date(midnight - SECOND) === today) return midnight;
      let [before, after] = [Math.floor(at / SECOND), Math.floor((midnight + 3 * HOUR) / SECOND)];
      while (after - before > 1) {
        const middle = Math.floor((before + after) / 2);
        if (date(middle * SECOND) === today) before = middle;
        else after = middle;
      }
      return after * SECOND;
    },
  };
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

function dayAfter(wall: number): [number, number, number] {
  const day = new Date(wall);
  return [day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate() + 1];
}
