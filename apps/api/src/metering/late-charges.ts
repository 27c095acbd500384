import { setTimeout as wait } from 'node:timers/promises';
import type { Logger, Metrics } from '@sluice/telemetry';

/** Records usage outside the request path and retries while Redis is unreachable. */
export interface LateCharges {
  /**
   * @param send records the usage; repeating it within a minute has no effect
   * @param hasEntry whether it also writes a ledger entry
   * @returns a promise that resolves when the usage is recorded or was given up
   */
  add(owner: string, send: () => Promise<unknown>, hasEntry?: boolean): Promise<void>;
  /** Sends all queued charges immediately and gives up after a few seconds. Resolves when the queue is empty. */
  end(): Promise<void>;
}

export interface LateChargesOptions {
  logger: Pick<Logger, 'warn'>;
  metrics: Pick<Metrics, 'ledgerDropped'>;
  now: () => number;
}

/** Retries stop after this time. If Redis's first reply was lost, a later retry could record the charge twice. */
const REPEATED_MS = 45_000;
const FIRST_WAIT_MS = 200;
const MAX_WAIT_MS = 5_000;
/** How long a stopping process retries. A lost connection is usually restored within a second. */
const ENDING_MS = 3_000;
/** Maximum number of queued charges. If the queue is full, a charge is tried only once. */
const MAX_PENDING = 10_000;

export function createLateCharges({ logger, metrics, now }: LateChargesOptions): LateCharges {
  const ending = new AbortController();
  // A count and not a Set of promises: V8 links each table that a Set outgrows to its next one, so a table in the old
  // generation would keep every later charge in memory until the next full collection.
  let pending = 0;
  let onEmpty: (() => void) | undefined;
  let isExpired = false;

  async function pause(ms: number): Promise<void> {
    if (ending.signal.aborted) await wait(FIRST_WAIT_MS);
    else await wait(ms, undefined, { signal: ending.signal }).catch(() => undefined);
  }

  async function sendWithRetries(owner: string, send: () => Promise<unknown>, hasEntry: boolean): Promise<void> {
    const until = now() + REPEATED_MS;
    for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, MAX_WAIT_MS)) {
      try {
        await send();
        return;
      } catch (error) {
        if (isExpired || now() >= until || pending > MAX_PENDING) {
          if (hasEntry) metrics.ledgerDropped.inc();
          return logger.warn({ err: error, client: owner }, 'usage could not be recorded');
        }
      }
      await pause(waitMs);
    }
  }

  return {
    add(owner, send, hasEntry = false) {
      pending += 1;
      return sendWithRetries(owner, send, hasEntry).finally(() => {
        pending -= 1;
        if (pending === 0) onEmpty?.();
      });
    },
    async end() {
      ending.abort();
      const timer = setTimeout(() => (isExpired = true), ENDING_MS);
      if (pending > 0) await new Promise<void>((resolve) => (onEmpty = resolve));
      clearTimeout(timer);
    },
  };
}
