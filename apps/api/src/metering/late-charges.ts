import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '@sluice/telemetry';

/** Has what requests have used counted, off their path, and again where Redis was away for a moment. */
export interface LateCharges {
  /** @param send counts; once, however often it is called within a minute */
  add(owner: string, send: () => Promise<void>): void;
  /** Sends at once what waits, and gives up after a few seconds; resolves when nothing waits any more. */
  end(): Promise<void>;
}

/** What {@link createLateCharges} needs. */
export interface LateChargesOptions {
  logger: Pick<Logger, 'warn'>;
  /** Unix milliseconds. */
  now: () => number;
}

/** After that a settlement that was counted although nobody heard of it could be counted again. */
const REPEATED_MS = 45_000;
const FIRST_WAIT_MS = 200;
const MAX_WAIT_MS = 5_000;
/** How long a process that ends goes on trying: a connection is back within a second. */
const ENDING_MS = 3_000;
/** Settlements that may wait: whatever comes beyond them is tried once. */
const MAX_WAITING = 10_000;

/** Builds {@link LateCharges} in this process' memory. */
export function createLateCharges({ logger, now }: LateChargesOptions): LateCharges {
  const ending = new AbortController();
  const pending = new Set<Promise<void>>();
  let isOver = false;

  async function pause(ms: number): Promise<void> {
    if (ending.signal.aborted) await wait(FIRST_WAIT_MS);
    else await wait(ms, undefined, { signal: ending.signal }).catch(() => undefined);
  }

  async function carryOut(owner: string, send: () => Promise<void>): Promise<void> {
    const until = now() + REPEATED_MS;
    for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, MAX_WAIT_MS)) {
      try {
        return await send();
      } catch (error) {
        if (isOver || now() >= until || pending.size > MAX_WAITING) {
          return logger.warn({ err: error, client: owner }, 'what a request used could not be counted');
        }
      }
      await pause(waitMs);
    }
  }

  return {
    add(owner, send) {
      const carried = carryOut(owner, send).finally(() => pending.delete(carried));
      pending.add(carried);
    },
    async end() {
      ending.abort();
      const timer = setTimeout(() => (isOver = true), ENDING_MS);
      await Promise.all(pending);
      clearTimeout(timer);
    },
  };
}
