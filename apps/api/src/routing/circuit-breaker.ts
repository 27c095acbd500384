export interface CircuitBreakers {
  /**
   * Whether a call may be sent. After `'yes'`, the caller must report its outcome with one of the four methods below.
   */
  admit(upstream: string): 'yes' | { retryAfterMs: number };
  /** Whether the next call may well succeed: no recent failure, or the open time has passed. */
  isHealthy(upstream: string): boolean;
  /** The response has started; `succeeded` or `failed` follows, or nothing if the client disconnects. */
  started(upstream: string): void;
  /** The response is complete, or is a rejection that shows that the upstream is alive. */
  succeeded(upstream: string): void;
  failed(upstream: string): void;
  /** The call has no outcome: its client disconnected, or the upstream was only rate limiting. */
  abandoned(upstream: string): void;
}

export interface CircuitBreakerSettings {
  failures: number;
  openMs: number;
  maxOpenMs: number;
  now: () => number;
  /** Called when a circuit opens for `openMs` milliseconds, and when it closes. */
  onChange?: (upstream: string, change: { openMs: number } | 'closed') => void;
}

/**
 * - `closed`: calls are admitted. `failures` counts failures since the last complete response, the latest at `failedAt`;
 *   `openMs` is the previous open time if no response has completed since.
 * - `open`: no call is admitted before `until`.
 * - `half-open`: one call, the probe, is in flight since `probedAt`; undefined: none is.
 */
type Breaker =
  | { state: 'closed'; failures: number; failedAt: number; openMs?: number }
  | { state: 'open'; until: number; openMs: number }
  | { state: 'half-open'; probedAt: number | undefined; openMs: number };

/**
 * A circuit breaker for each upstream, initially closed.
 *
 * A closed breaker counts consecutive failures and opens at the limit. An open breaker admits no call for `openMs`; the
 * next call makes it half-open and is the probe, while all others stay blocked. If the probe succeeds, the breaker
 * closes and resets. If it fails, the breaker opens for twice as long as before, up to `maxOpenMs`. If it is abandoned,
 * the next call is the probe. A probe without an outcome for `maxOpenMs` counts as lost, so that no bug can block an
 * upstream forever.
 *
 * A stream succeeds when it is complete, not when it starts: an upstream whose streams all break off is down, but each
 * first byte would reset its breaker. Since a stream may take minutes, a probe must not block all other calls that
 * long. When the probe's response starts, the breaker closes on probation: one failure opens it for twice as long as
 * before. The first complete response ends the probation. A closed breaker ignores responses that start and clients
 * that disconnect.
 *
 * Calls admitted before a breaker opened may end later. They are ignored while it is open; while it is half-open, their
 * outcome counts as the probe's, because it is as recent.
 */
export function createCircuitBreakers(settings: CircuitBreakerSettings): CircuitBreakers {
  const { failures: allowed, openMs: firstOpenMs, maxOpenMs, now, onChange } = settings;
  const breakers = new Map<string, Breaker>();

  function open(upstream: string, durationMs: number): void {
    const openMs = Math.min(durationMs, maxOpenMs);
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

    isHealthy(upstream) {
      const breaker = breakers.get(upstream);
      if (!breaker) return true;
      if (breaker.state === 'closed') return now() - breaker.failedAt >= firstOpenMs;
      return breaker.state === 'open' && now() >= breaker.until;
    },

    started(upstream) {
      const breaker = breakers.get(upstream);
      if (breaker?.state !== 'half-open') return;
      breakers.set(upstream, { state: 'closed', failures: allowed - 1, failedAt: now(), openMs: breaker.openMs });
    },

    succeeded(upstream) {
      const breaker = breakers.get(upstream);
      if (!breaker || breaker.state === 'open') return;
      breakers.delete(upstream);
      if (breaker.openMs !== undefined) onChange?.(upstream, 'closed');
    },

    failed(upstream) {
      const breaker: Breaker = breakers.get(upstream) ?? { state: 'closed', failures: 0, failedAt: now() };
      switch (breaker.state) {
        case 'closed':
          if (breaker.failures + 1 < allowed) {
            breakers.set(upstream, { ...breaker, failures: breaker.failures + 1, failedAt: now() });
          } else open(upstream, breaker.openMs === undefined ? firstOpenMs : breaker.openMs * 2);
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
