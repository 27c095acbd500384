import { describe, expect, it } from 'vitest';
import { wait } from './wait.ts';

describe('wait', () => {
  it('resolves after its time, immediately for 0', async () => {
    const { signal } = new AbortController();
    const before = performance.now();
    expect(await wait(30, signal)).toBe(true);
    expect(performance.now() - before).toBeGreaterThan(25);
    expect(await wait(0, signal)).toBe(true);
    expect(await wait(-5, signal)).toBe(true);
  });

  it('stops when the client disconnects, however long the wait', async () => {
    const controller = new AbortController();
    const waiting = wait(Infinity, controller.signal);
    controller.abort();
    expect(await waiting).toBe(false);
    expect(await wait(1, controller.signal)).toBe(false);
  });
});
