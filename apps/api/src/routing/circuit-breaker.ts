/** Keeps calls away from an upstream that is down. All state is this process's own. */
export interface CircuitBreakers {
  /** Whether a call may be sent. After `'yes'` the caller must tell how it went: one of the four below. */
  admit(upstream: string): 'yes' | { retryAfterMs: number };
  /** The answer has begun and may still break off; `succeeded` or `failed` follows, or nothing when the client leaves. */
  answered(upstream: string): void;
  /** The answer is through, or is a refusal that shows that the upstream is well. */
  succeeded(upstream: string): void;
  /** No connection, no answer in time, a connection that broke, or a 5xx. */
  failed(upstream: string): void;
  /** The call says nothing about the upstream: its client left, or the upstream was only busy. */
  abandoned(upstream: string): void;
}

/** How patient {@link CircuitBreakers} are. */
export interface CircuitBreakerSettings {
  /** Failures in a row that open a breaker. */
  failures: number;
  /** How long a breaker stays open at first, milliseconds. */
  openMs: number;
  /** How long it stays open at most, milliseconds. */
  maxOpenMs: number;
  /** The time in milliseconds. */
  now: () => number;
  /** Told when an upstream is left alone for `openMs` milliseconds, and when it is called again as before. */
  onChange?: (upstream: string, change: { openMs: number } | 'closed') => void;
}

/**
 * - `closed`: calls go through. `failures` counts the failures since the last whole answer; `openMs` is how long it was open
 *   before, when there was none since.
 * - `open`: no call goes through before `until`.
 * - `half-open`: one call, the probe, is under way since `probedAt`; undefined: none is.
 */
type Breaker =
  | { state: 'closed'; failures: number; openMs?: number }
  | { state: 'open'; until: number; openMs: number }
  | { state: 'half-open'; probedAt: number | undefined; openMs: number };

/**
 * A breaker for each upstream, closed at first.
 *
 * A closed breaker counts failures in a row and opens at the last one allowed. An open breaker admits nobody for
 * `openMs`; the first call after that finds it half-open and is the probe, all others are still kept away. When the
 * probe succeeds the breaker closes and everything is forgotten. When it fails the breaker opens again, for twice as long
 * as before, up to `maxOpenMs`. When it is abandoned the next call is the probe. A probe of which nothing is heard for
 * `maxOpenMs` is taken for lost, so that no slip can keep an upstream away for ever.
 *
 * A stream is a success when it is through, not when it begins: an upstream whose streams all break off is down, and would
 * be forgiven by each first byte. But a stream may take minutes, for which a probe must not keep all others away: when the
 * probe's answer has begun the breaker closes on probation, one failure from opening, for twice as long as before. The first
 * answer that is through ends the probation. A closed breaker is not moved by an answer that begins, nor by a client that
 * leaves in the middle of one.
 *
 * Calls that were admitted before a breaker opened may end after: while it is open they change nothing, while it is
 * half-open their outcome counts as the probe's, being as fresh.
 */
export function createCircuitBreakers(settings: CircuitBreakerSettings): CircuitBreakers {
  const { failures: allowed, openMs: firstOpenMs, maxOpenMs, now, onChange } = settings;
  // Upstreams that never failed have no entry.
  const breakers = new Map<string, Breaker>();

  function open(upstream: string, wantedMs: number): void {
    const openMs = Math.min(wantedMs, maxOpenMs);
    breakers.set(upstream, { state: 'open', until: now() + openMs, openMs });
    onChange?.(upstream, { openMs });
  }

  return {
    admit(upstream) {
      const breaker = breakers.get(upstream);
      if (!breaker || breaker.state === 'closed') return 'yes';
      const { openMs } = breaker;
      if (breaker.state === 'open') {
        const leftMs = breaker.until - now();
        if (leftMs > 0) return { retryAfterMs: leftMs };
      } else if (breaker.probedAt !== undefined) {
        const lostInMs = breaker.probedAt + maxOpenMs - now();
        if (lostInMs > 0) return { retryAfterMs: Math.min(firstOpenMs, lostInMs) };
      }
      breakers.set(upstream, { state: 'half-open', probedAt: now(), openMs });
      return 'yes';
    },

    answered(upstream) {
      const breaker = breakers.get(upstream);
      if (breaker?.state !== 'half-open') return;
      breakers.set(upstream, { state: 'closed', failures: allowed - 1, openMs: breaker.openMs });
    },

    succeeded(upstream) {
      const breaker = breakers.get(upstream);
      if (!breaker || breaker.state === 'open') return;
      breakers.delete(upstream);
      if (breaker.openMs !== undefined) onChange?.(upstream, 'closed');
    },

    failed(upstream) {
      const breaker: Breaker = breakers.get(upstream) ?? { state: 'closed', failures: 0 };
      switch (breaker.state) {
        case 'closed':
          if (breaker.failures + 1 < allowed) breakers.set(upstream, { ...breaker, failures: breaker.failures + 1 });
          else open(upstream, breaker.openMs === undefined ? firstOpenMs : breaker.openMs * 2);
          return;
        case 'half-open':
          open(upstream, breaker.openMs * 2);
          return;
        case 'open':
      }
    },

    abandoned(upstream) {
      const breaker = breakers.get(upstream);
      if (breaker?.state === 'half-open') breakers.set(upstream, { ...breaker, probedAt: undefined });
    },
  };
}
