import type { ResponseHeaders } from './http-headers.ts';

/** The longest wait that is believed: one hour. */
const MAX_MS = 3_600_000;

function milliseconds(text: string | undefined, unitMs: number): number | undefined {
  return text !== undefined && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) * unitMs : undefined;
}

function untilDate(text: string | undefined, now: number): number | undefined {
  // Without a letter it is a number, or nonsense that `Date.parse` would still take for a year.
  if (text === undefined || !/[a-z]/i.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at - now;
}

/**
 * When an upstream wants to be asked again, in milliseconds from `now` (Unix milliseconds): `retry-after-ms`, then
 * `retry-after` in seconds or as an HTTP date, then `openai-poll-after-ms`. Between 0 and one hour.
 */
export function retryAfterMs(headers: ResponseHeaders, now: number): number | undefined {
  const wait =
    milliseconds(headers['retry-after-ms'], 1) ??
    milliseconds(headers['retry-after'], 1000) ??
    untilDate(headers['retry-after'], now) ??
    milliseconds(headers['openai-poll-after-ms'], 1);
  return wait === undefined ? undefined : Math.min(Math.max(Math.round(wait), 0), MAX_MS);
}
