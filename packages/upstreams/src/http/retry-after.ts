import { retryAfterMs } from '@sluice/canonical';
import type { ResponseHeaders } from './http-headers.ts';

/** One hour. A longer delay is treated as the upstream's mistake, so that no task or delivery waits too long. */
const MAX_MS = 3_600_000;

/** Returns {@link retryAfterMs}, but at most one hour. @param now Unix milliseconds */
export function cappedRetryAfterMs(headers: ResponseHeaders, now: number): number | undefined {
  const wait = retryAfterMs(headers, now);
  return wait === undefined ? undefined : Math.min(wait, MAX_MS);
}
