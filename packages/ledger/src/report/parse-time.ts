import { startOfDate } from './zoned-time.ts';

const RFC_3339 = /^(\d{4}-\d\d-\d\d)[Tt]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+ -]\d\d:\d\d)$/;
const DATE = /^\d{4}-\d\d-\d\d$/;

export type ParsedTime = { at: number } | { problem: string };

/**
 * Parses Unix seconds, an RFC 3339 time, or a date (its first moment in the time zone).
 * @returns Unix milliseconds, or what is wrong
 */
export function parseTime(text: string, timeZone: string): ParsedTime {
  if (/^\d+$/.test(text)) {
    // In seconds, this number of digits reaches the year 2286.
    return text.length <= 10 ? { at: Number(text) * 1_000 } : { problem: 'must be Unix seconds, not milliseconds' };
  }
  const date = DATE.test(text) ? text : RFC_3339.exec(text)?.[1];
  // In a query, an unescaped `+` is a space.
  const at = date === undefined ? Number.NaN : Date.parse(text === date ? text : text.replace(' ', '+').toUpperCase());
  if (date === undefined || Number.isNaN(at) || !isRealDate(date) || at < 0) {
    return { problem: 'must be Unix seconds, an RFC 3339 time such as 2026-01-31T12:00:00Z, or a date' };
  }
  return { at: text === date ? startOfDate(at, timeZone) : at };
}

/** `Date.parse` accepts some dates that do not exist (e.g. February 30). */
function isRealDate(date: string): boolean {
  const at = Date.parse(date);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(date);
}
