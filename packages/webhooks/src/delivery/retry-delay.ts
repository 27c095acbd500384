const JITTER = 0.15;

interface FailedAttempts {
  failed: number; // including this one; at least 1
  retryAfterMs?: number | undefined;
  random: number; // from 0 up to 1
}

/**
 * Delay before the next attempt, milliseconds: as configured, ±15 %, and at least as the server requests. Undefined
 * after the last attempt.
 */
export function retryDelayMs(
  retryMs: readonly number[],
  { failed, retryAfterMs = 0, random }: FailedAttempts,
): number | undefined {
  const planned = retryMs[failed - 1];
  if (planned === undefined) return undefined;
  return Math.max(retryAfterMs, Math.round(planned * (1 - JITTER + 2 * JITTER * random)));
}
