const JITTER = 0.15;

interface FailedAttempts {
  /** Failed attempts including this one; at least 1. */
  failed: number;
  /** Delay requested by the server. */
  retryAfterMs?: number | undefined;
  /** A number from 0 up to 1. */
  random: number;
}

/**
 * Delay before the next attempt in milliseconds: as configured, ±15 %, and at least the server's request. Undefined if
 * there is none.
 */
export function retryDelayMs(
  retryMs: readonly number[],
  { failed, retryAfterMs = 0, random }: FailedAttempts,
): number | undefined {
  const planned = retryMs[failed - 1];
  if (planned === undefined) return undefined;
  return Math.max(retryAfterMs, Math.round(planned * (1 - JITTER + 2 * JITTER * random)));
}
