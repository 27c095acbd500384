const JITTER = 0.15;

/** What the next attempt depends on. */
interface Tries {
  /** Attempts that have failed, this one included; at least 1. */
  failed: number;
  /** How long the server wants to be left alone. */
  retryAfterMs?: number;
  /** A number from 0 up to 1. */
  random: number;
}

/**
 * How long to wait before the next attempt, in milliseconds: as planned, ±15 %, and at least as long as the server
 * wishes. Undefined when there is none.
 */
export function nextTryMs(retryMs: readonly number[], { failed, retryAfterMs = 0, random }: Tries): number | undefined {
  const planned = retryMs[failed - 1];
  if (planned === undefined) return undefined;
  return Math.max(retryAfterMs, Math.round(planned * (1 - JITTER + 2 * JITTER * random)));
}
