export interface CircuitBreakers {
  /** Whether a call may be sent. After `'yes'`, the caller must report the outcome with one of the methods below. */
  admit(upstream: string): 'yes' | { retryAfterMs: number };
  /** Whether the next call is likely to succeed: there was no recent failure, or the open time has passed. */
  isHealthy(upstream: string): boolean;
  stateOf(upstream: string): 'closed' | 'half-open' | 'open';
  /** Milliseconds until an open circuit admits a call. 0 if it is not open. */
  openMs(upstream: string): number;
  /** The response has started. The caller then calls `succeeded` or `failed`, or neither if the client disconnects. */
  started(upstream: string): void;
  /** The response is complete, or the upstream rejected the request but is alive. */
  succeeded(upstream: string): void;
  failed(upstream: string): void;
  /** The call has no outcome: the client disconnected, or the upstream only returned a rate-limit error. */
  abandoned(upstream: string): void;
  /** Closes an upstream's breaker, e.g. because the upstream has another address now. */
  reset(upstream: string): void;
}

/** Read for each call, because a reload can change them. */
export interface CircuitBreakerSettings {
  failures: number;
  openMs: number;
  maxOpenMs: number;
  now: () => number;
  /** Called when a circuit opens for `openMs` milliseconds, and when it closes. */
  onChange?: (upstream: string, change: { openMs: number } | 'closed') => void;
}

/**
 * - `closed`: calls are admitted. `failures` counts failures since the last complete response. The latest failure was
 * at
 *   `failedAt`. `openMs` is the previous open time if no response has completed since.
 * - `open`: no call is admitted before `until`.
 * - `half-open`: one call, the probe, has been in flight since `probedAt`. If undefined, no probe is in flight.
 */
type Breaker =
  | { state: 'closed'; failures: number; failedAt: number; openMs?: number }
  | { state: 'open'; until: number; openMs: number }
  | { state: 'half-open'; probedAt: number | undefined; openMs: number };

/**
 * A circuit breaker for each upstream, initially closed.
 *
 * A closed breaker counts consecutive failures and opens at the limit. An open breaker admits no call for `openMs`.
 * Then the next call makes it half-open and is the probe, while all other calls stay blocked. If the probe succeeds,
 * the breaker closes and resets. If it fails, the breaker opens for twice as long as before, up to `maxOpenMs`. If it
 * is abandoned, the next call is the probe. A probe without an outcome for `maxOpenMs` is treated as abandoned, so that
 * no bug can block an upstream forever.
 *
 * A stream succeeds when it is complete, not when it starts. Otherwise, each first byte would reset the breaker of an
 * upstream whose streams are all cut short. Since a stream may take minutes, a probe must not block all other calls for
 * that long. When the probe's response starts, the breaker closes on probation: one failure opens it for twice as long
 * as before. The first complete response ends the probation. A closed breaker ignores responses that start and clients
 * that disconnect.
 *
 * Calls admitted before a breaker opened may end later. While the breaker is open, their outcomes are ignored. While it
 * is half-open, their outcomes are treated as the probe's outcome, because they are just as recent.
 */
export function createCircuitBreakers(settings: CircuitBreakerSettings): CircuitBreakers {
  const { now, onChange } = settings;
  const breakers = new Map<string, Breaker>();

  function open(upstream: string, durationMs: number): void {
    const openMs = Math.min(durationMs, settings.maxOpenMs);
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
        const lostInMs = breaker.probedAt + settings.maxOpenMs - now();
        if (lostInMs > 0) return { retryAfterMs: Math.min(settings.openMs, lostInMs) };
      }
      breakers.set(upstream, { state: 'half-open', probedAt: now(), openMs });
      return 'yes';
    },

    isHealthy: (upstream) => isHealthy(breakers.get(upstream), settings),

    stateOf: (upstream) => stateOf(breakers.get(upstream), now()),

    openMs(upstream) {
      const breaker = breakers.get(upstream);
      return breaker?.state === 'open' ? Math.max(0, breaker.until - now()) : 0;
    },

    started(upstream) {
      const breaker = breakers.get(upstream);
      if (breaker?.state !== 'half-open') return;
      breakers.set(upstream, {
        state: 'closed',
        failures: settings.failures - 1,
        failedAt: now(),
        openMs: breaker.openMs,
      });
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
          if (breaker.failures + 1 < settings.failures) {
            breakers.set(upstream, { ...breaker, failures: breaker.failures + 1, failedAt: now() });
          } else open(upstream, breaker.openMs === undefined ? settings.openMs : breaker.openMs * 2);
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

    reset: (upstream) => void breakers.delete(upstream),
  };
}

function isHealthy(breaker: Breaker | undefined, { openMs, now }: CircuitBreakerSettings): boolean {
  if (!breaker) return true;
  if (breaker.state === 'closed') return now() - breaker.failedAt >= openMs;
  return breaker.state === 'open' && now() >= breaker.until;
}

function stateOf(breaker: Breaker | undefined, now: number): Breaker['state'] {
  // The next call would be the probe.
  if (breaker?.state === 'open' && now >= breaker.until) return 'half-open';
  return breaker?.state ?? 'closed';
}
