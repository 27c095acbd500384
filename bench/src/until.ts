import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until `holds` answers true. @throws when it does not within `timeoutMs`. */
export async function until(what: string, holds: () => Promise<boolean>, timeoutMs: number): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`${what}: not within ${timeoutMs} ms`);
    await sleep(50);
  }
}
