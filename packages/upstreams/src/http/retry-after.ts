import { retryAfterMs } from '@sluice/canonical';
import type { ResponseHeaders } from './http-headers.ts';

/** A longer wait would leave a task or a delivery idle for an upstream's mistake: one hour. */
const MAX_MS = 3_600_000;

/** {@link retryAfterMs}, at most one hour. @param now Unix milliseconds */
export function cappedRetryAfterMs(headers: ResponseHeaders, now: number): number | undefined {
  const wait = retryAfterMs(headers, now);
  return wait === undefined ? undefined : Math.min(wait, MAX_MS);
}
