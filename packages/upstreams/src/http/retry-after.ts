import { retryAfterMs } from '@sluice/canonical';
import type { ResponseHeaders } from './http-headers.ts';

/** One hour. A longer wait would only idle a task or delivery because of an upstream's mistake. */
const MAX_MS = 3_600_000;

/** {@link retryAfterMs}, at most one hour. @param now Unix milliseconds */
export function cappedRetryAfterMs(headers: ResponseHeaders, now: number): number | undefined {
  const wait = retryAfterMs(headers, now);
  return wait === undefined ? undefined : Math.min(wait, MAX_MS);
}
