import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** The longest that a timer can wait. */
const MAX_MS = 2 ** 31 - 1;

/** Waits, `Infinity` for ever; false when the caller has left meanwhile. */
export async function wait(ms: number, left: AbortSignal): Promise<boolean> {
  try {
    for (let rest = ms; rest > 0; rest -= MAX_MS) {
      await sleep(Math.min(rest, MAX_MS), undefined, { signal: left });
    }
  } catch {
    // Only the signal ends a timer early.
  }
  return !left.aborted;
}

/** Tells when the caller of an answer has left, or has got all of it. */
export function closeSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  if (response.destroyed) controller.abort();
  else response.once('close', () => controller.abort());
  return controller.signal;
}
