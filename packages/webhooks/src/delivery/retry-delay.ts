const JITTER = 0.15;

interface FailedAttempts {
  failed: number; // Number of failed attempts, including the current one.
  retryAfterMs?: number | undefined;
  random: number; // A number of at least 0 and less than 1.
}

/**
 * Returns the delay before the next attempt in milliseconds: the configured delay ±15 %, but at least the delay that
 * the server requests. Returns undefined if this was the last attempt.
 */
export function retryDelayMs(
  retryMs: readonly number[],
  { failed, retryAfterMs = 0, random }: FailedAttempts,
): number | undefined {
  const planned = retryMs[failed - 1];
  if (planned === undefined) return undefined;
  return Math.max(retryAfterMs, Math.round(planned * (1 - JITTER + 2 * JITTER * random)));
}
