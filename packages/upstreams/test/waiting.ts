import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { until } from './local-server.ts';

/** Waits until a number stops changing, and returns it. */
export async function untilStable(read: () => number): Promise<number> {
  for (;;) {
    const before = read();
    await sleep(150);
    if (read() === before && before > 0) return before;
  }
}

export async function within(ms: number, holds: () => boolean): Promise<void> {
  const since = Date.now();
  await until(holds);
  expect(Date.now() - since).toBeLessThan(ms);
}

/** Waits until a response can be written to again, or was disconnected. Leaves no listeners. */
export async function drainedOrClosed(response: ServerResponse): Promise<void> {
  const done = new AbortController();
  await Promise.race(['drain', 'close'].map((event) => once(response, event, { signal: done.signal })));
  done.abort();
}
