import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** The longest delay that a Node timer supports. */
const MAX_MS = 2 ** 31 - 1;

/**
 * `Infinity` waits until the client disconnects.
 * @returns false if the client disconnects first.
 */
export async function wait(ms: number, disconnected: AbortSignal): Promise<boolean> {
  try {
    for (let rest = ms; rest > 0; rest -= MAX_MS) {
      await sleep(Math.min(rest, MAX_MS), undefined, { signal: disconnected });
    }
  } catch {
    // The timer rejects only when the signal aborts.
  }
  return !disconnected.aborted;
}

/** Aborts when the response is complete or the client has disconnected. */
export function closeSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  if (response.destroyed) controller.abort();
  else response.once('close', () => controller.abort());
  return controller.signal;
}
