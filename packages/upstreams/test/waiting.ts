import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { until } from './local-server.ts';

/** Waits until a number has not changed for a while, and gives it. */
export async function standstill(read: () => number): Promise<number> {
  for (;;) {
    const before = read();
    await sleep(150);
    if (read() === before && before > 0) return before;
  }
}

/** Waits until something holds, and expects it to have taken less than so many milliseconds. */
export async function within(ms: number, holds: () => boolean): Promise<void> {
  const since = Date.now();
  await until(holds);
  expect(Date.now() - since).toBeLessThan(ms);
}
